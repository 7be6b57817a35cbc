// Live pages: hears that something has changed and lets htmx fetch the parts that want to know.
(() => {
  "use strict";
  // A page that says why a press was refused is loaded again by looking, not by pressing again.
  if (document.body.dataset.here) history.replaceState(null, "", document.body.dataset.here);

  // A button is pressed once; the server would refuse the second press as well.
  const buttons = (form) => form.querySelectorAll("[type=submit]");
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    setTimeout(() => buttons(form).forEach((each) => { each.disabled = true; }));
  });
  // Whoever comes back to a page that the browser has kept may press again.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[method=post]")) {
      delete form.dataset.sent;
      buttons(form).forEach((each) => { each.disabled = false; });
    }
  });

  const topic = document.body.dataset.live;
  const shown = document.getElementById("live");
  let source = null;
  let again = 0;

  const say = (text, on) => {
    if (shown && shown.textContent !== text) {
      shown.textContent = text;
      shown.classList.toggle("on", on);
    }
  };
  // Forms are not taken from under the hands of whoever fills them in.
  const touched = (each) =>
    each.type === "checkbox" || each.type === "radio" ? each.checked !== each.defaultChecked
      : each.tagName === "SELECT" ? [...each.options].some((one) => one.selected !== one.defaultSelected)
        && each.selectedIndex > 0
      : each.value !== each.defaultValue;
  const busy = () => {
    const at = document.activeElement;
    return (at && at.closest("[data-keep]") && at.matches("input, select, textarea"))
      || document.querySelector("[data-kept]") // what was typed before a refusal is in the form
      || [...document.querySelectorAll("[data-keep] :is(input, select, textarea)")].some(touched);
  };
  const changed = () => {
    document.body.dispatchEvent(new CustomEvent("onejob-changed"));
    if (!busy()) document.body.dispatchEvent(new CustomEvent("onejob-calm"));
  };
  const close = () => {
    clearTimeout(again);
    if (source) source.close();
    source = null;
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("/ui/events?topic=" + encodeURIComponent(topic));
    // What changed while the line was down, or not yet there, nobody will tell: so look once.
    source.addEventListener("begin", () => { say("live", true); changed(); });
    source.addEventListener("changed", changed);
    // The session or the node is gone; unless the page is on its way out, it finds out which.
    source.addEventListener("over", () => {
      close();
      say("not live", false);
      again = setTimeout(() => { changed(); open(); }, 2000);
    });
    source.addEventListener("error", () => {
      say("not live", false);
      if (source && source.readyState === EventSource.CLOSED) {
        close();
        again = setTimeout(() => { changed(); open(); }, 5000);
      }
    });
  };
  if (topic) {
    // A hidden page lets go of its line: browsers have few for one host.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) { close(); } else { changed(); open(); }
    });
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", open);
    open();
  }

  // What the address names stays marked when its part comes anew.
  const mark = () => {
    const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (named) named.classList.add("named");
  };
  document.addEventListener("htmx:afterSettle", mark); // settling puts classes back as they came
  window.addEventListener("hashchange", mark);
  mark();

  // What was unfolded stays unfolded when its part comes anew.
  let unfolded = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const cause = event.detail.requestConfig && event.detail.requestConfig.triggeringEvent;
    if (cause && cause.type === "onejob-calm" && busy()) {
      event.detail.shouldSwap = false; // somebody began while the part was on its way
      return;
    }
    const target = event.detail.target;
    unfolded = [...target.querySelectorAll("details[open][id]")].map((each) => each.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) {
      const each = document.getElementById(id);
      if (each) each.open = true;
    }
  });
})();
