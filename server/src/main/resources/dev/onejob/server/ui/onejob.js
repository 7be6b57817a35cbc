// Live pages: hears that something has changed and lets htmx fetch the parts that want to know.
// A part is renewed whole or left as it stands. What somebody has in hand is left, and fetched
// again when they let go of it; so no form says that it was shown what its person has not seen.
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
    for (const form of document.querySelectorAll("form[data-sent]")) {
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
  const changed = () => document.body.dispatchEvent(new CustomEvent("onejob-changed"));
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
    // What depends on more than the topic is looked at steadily.
    setInterval(() => {
      if (source && document.querySelector("[data-steady]")) changed();
    }, 5000);
  }

  // What the address names stays marked when its part comes anew.
  const mark = () => {
    const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (named) named.classList.add("named");
  };
  document.addEventListener("htmx:afterSettle", mark); // settling puts classes back as they came
  window.addEventListener("hashchange", mark);
  mark();

  // A form is in hand from the first touch until its answer has come, and while it keeps what was
  // typed before a refusal.
  const FIELDS = "input, select, textarea";
  const touched = (each) =>
    each.type === "checkbox" || each.type === "radio" ? each.checked !== each.defaultChecked
      : each.tagName === "SELECT" ? each.selectedIndex
        !== Math.max(0, [...each.options].findIndex((one) => one.defaultSelected))
      : each.value !== each.defaultValue;
  const inHand = (form) => {
    const at = document.activeElement;
    return Boolean(form.dataset.sent || form.closest("[data-kept]"))
      || (form.contains(at) && at.matches(FIELDS))
      || [...form.querySelectorAll(FIELDS)].some(touched);
  };
  const sending = () => document.querySelector("form[data-sent]");
  const anyInHand = (within) => [...within.querySelectorAll("form")].some(inHand);

  // A part is left under a pointer that is down, in a selection, around a focus that cannot be
  // given back (where what has the focus has an id, htmx gives it back), and around a form in hand.
  // Inside one all goes on, but for what it says that it was shown (data-keep), until it is sent.
  let pressed = false;
  let later = false;
  const held = (part) => {
    const chosen = document.getSelection();
    const at = document.activeElement;
    const around = part.closest("form");
    return pressed
      || (chosen && !chosen.isCollapsed && chosen.containsNode(part, true))
      || (at && at !== part && !at.id && part.contains(at))
      || anyInHand(part)
      || (around && (part.hasAttribute("data-keep") ? inHand(around) : around.dataset.sent));
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

  const isLive = (event) => {
    const by = event.detail.requestConfig && event.detail.requestConfig.triggeringEvent;
    return Boolean(by) && by.type === "onejob-changed";
  };
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (isLive(event) && held(event.detail.target)) {
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
    document.addEventListener(lost, (event) => { if (isLive(event)) failed(); });
  }

  // Who is logged out keeps what they have typed, and sends it once the same key is logged in
  // again, be it in another tab; with nothing in hand the page leads to the log-in.
  const gone = document.getElementById("gone");
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const xhr = event.detail.xhr;
    const who = xhr.getResponseHeader("X-Onejob-Who");
    const same = who === document.body.dataset.who;
    if (!gone || (!who && xhr.status !== 401)) return;
    gone.hidden = same || !anyInHand(document);
    if (same) {
      const token = xhr.getResponseHeader("X-CSRF-Token");
      document.querySelectorAll("input[name=csrf]").forEach((each) => { each.value = token; });
    } else if (!gone.hidden) {
      event.preventDefault();
      say("not live", false);
    } else if (who) {
      event.preventDefault();
      location.reload();
    }
  });

  // What goes on at one node alone is asked for often. Another node behind the same address does
  // not know of it; only where nobody has for a while it is gone.
  const MISSED_MAX = 20;
  let missed = 0;
  setInterval(() => {
    if (!document.hidden && document.querySelector("[data-under-way]")) changed();
  }, 500);

  // What was unfolded stays unfolded, and scrolled, when its part comes anew.
  let unfolded = [];
  let scrolled = [];
  let focused = "";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const live = isLive(event);
    const status = event.detail.xhr.status;
    if (live && (status >= 500 || status === 429)) {
      event.detail.shouldSwap = false;
      failed();
      return;
    }
    const target = event.detail.target;
    missed = status === 404 ? missed + 1 : 0;
    if (live && missed > 0 && missed < MISSED_MAX && target.matches("[data-under-way]")) {
      event.detail.shouldSwap = false;
      return;
    }
    if (live && held(target)) {
      event.detail.shouldSwap = false; // somebody began while the part was on its way
      later = true;
      return;
    }
    if (live && source && source.readyState === EventSource.OPEN) say("live", true);
    unfolded = [...target.querySelectorAll("details[open][id]")].map((each) => each.id);
    scrolled = [...target.querySelectorAll("[tabindex][id]")]
      .map((each) => [each.id, each.scrollTop, each.scrollLeft]);
    focused = document.activeElement ? document.activeElement.id : "";
  });

  // What comes along for other places of the page. Where a form stays as of what it was shown,
  // and more is known by now, its person is told.
  const marks = (part) =>
    [...part.querySelectorAll("[name^=as_of]")].map((each) => each.name + each.value).join();
  const more = document.getElementById("newer");
  const tell = (says) => {
    if (more.textContent === says) return;
    more.textContent = says;
    more.classList.toggle("notice", says !== "");
  };
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const stays = held(target);
    if (stays) later = true;
    if (stays || target.innerHTML === fragment.innerHTML) event.detail.shouldSwap = false;
    const [before, now] = [marks(target), marks(fragment)];
    if (more && before + now) tell(stays && before !== now && !sending() ? more.dataset.says : "");
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
    // Whoever stood on a button that is shut now is led to what says why.
    const over = document.getElementById("over");
    const was = focused && document.getElementById(focused);
    if (over && focused && !sending() && (!was || was.disabled)) over.focus();
    focused = "";
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
        () => { button.textContent = "Copied"; getSelection().removeAllRanges(); },
        () => { button.textContent = "Marked: copy it"; });
    } else {
      button.textContent = "Marked: copy it";
    }
  });
})();
