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

  // A page that the browser has kept may be of a session that is over: the server knows.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

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
    return (at && at.closest("[data-keep]"))
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

  // A part is not taken away under a pointer that is down, from a selection, or from a focus that
  // cannot be given back; where what has the focus has an id, htmx gives it back. It comes later.
  let pressed = false;
  let later = false;
  const held = (part, calm) => {
    const chosen = document.getSelection();
    const at = document.activeElement;
    return pressed
      || (chosen && !chosen.isCollapsed && chosen.containsNode(part, true))
      || (at && at !== part && !at.id && part.contains(at))
      || (calm && busy());
  };
  const released = () => {
    if (!later) return;
    later = false;
    setTimeout(changed); // first whatever this press or this change of focus is for
  };
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel", "dragend"]) {
    document.addEventListener(end, () => { pressed = false; released(); }, true);
  }
  // Lists that a browser unfolds by itself, and other windows, swallow the end of a press.
  document.addEventListener("pointermove", (event) => {
    if (pressed && event.buttons === 0) { pressed = false; released(); }
  }, true);
  window.addEventListener("blur", () => { pressed = false; });
  document.addEventListener("selectionchange", () => {
    const chosen = document.getSelection();
    if (!chosen || chosen.isCollapsed) released();
  });
  document.addEventListener("focusout", () => setTimeout(released));

  const cause = (event) => {
    const by = event.detail.requestConfig && event.detail.requestConfig.triggeringEvent;
    return by && by.type.startsWith("onejob-") ? by.type : null;
  };
  document.addEventListener("htmx:beforeRequest", (event) => {
    const by = cause(event);
    if (by && held(event.detail.target, by === "onejob-calm")) {
      event.preventDefault();
      later = true;
    }
  });

  // What could not be renewed stays as it is, says that it is not live, and tries again.
  let retry = 0;
  const failed = () => {
    say("not live", false);
    clearTimeout(retry);
    retry = setTimeout(changed, 5000);
  };
  for (const lost of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(lost, (event) => { if (cause(event)) failed(); });
  }

  // What was unfolded stays unfolded, and scrolled, when its part comes anew.
  let unfolded = [];
  let scrolled = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const by = cause(event);
    const status = event.detail.xhr.status;
    if (by && (status >= 500 || status === 429)) {
      event.detail.shouldSwap = false;
      failed();
      return;
    }
    const target = event.detail.target;
    if (by && held(target, by === "onejob-calm")) {
      event.detail.shouldSwap = false; // somebody began while the part was on its way
      later = true;
      return;
    }
    if (by && source && source.readyState === EventSource.OPEN) say("live", true);
    unfolded = [...target.querySelectorAll("details[open][id]")].map((each) => each.id);
    scrolled = [...target.querySelectorAll("[tabindex][id]")]
      .map((each) => [each.id, each.scrollTop, each.scrollLeft]);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) {
      const each = document.getElementById(id);
      if (each) each.open = true;
    }
    for (const [id, top, left] of scrolled) {
      const each = document.getElementById(id);
      if (each) each.scrollTo(left, top);
    }
  });
})();

// The playground: a slider says where it stands, and a line for a shell can be taken along.
(() => {
  "use strict";
  document.addEventListener("input", (event) => {
    const shown = document.querySelector(`output[data-millis][for="${event.target.id}"]`);
    if (shown) shown.textContent = (event.target.value / 1000).toFixed(1) + " s";
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    const line = button && document.getElementById(button.dataset.copy);
    if (!line) return;
    // Marked in any case: where a browser lets nobody write to the clipboard, a key press copies it.
    getSelection().selectAllChildren(line);
    if (navigator.clipboard) {
      navigator.clipboard.writeText(line.textContent).then(
        () => { button.textContent = "Copied"; },
        () => { button.textContent = "Marked: copy it"; });
    } else {
      button.textContent = "Marked: copy it";
    }
  });
})();
