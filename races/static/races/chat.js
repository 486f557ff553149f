/* The chat of a race while others write. Without this script it is as it was when its page was asked for, and can be
   written in all the same.

   live.js hears how far the chat is and says so on the document ("race:chat"); whoever has less fetches the messages, and
   nothing but them: the field, what is typed in it and the focus stay. New messages are read out once, politely. */
(() => {
  "use strict";
  const chat = document.getElementById("chat");
  if (!chat) return;

  const FIRST = 1000; // ms before the first and the last of the questions after one that failed
  const LAST = 60000;
  const SELECTED = 2000; // ms after which messages in which somebody selects are looked at again

  const fold = chat.querySelector("details"); // on its own page there is none
  const form = document.getElementById("chat-form");
  const field = document.getElementById("chat-text");
  const says = document.getElementById("chat-says");
  let heard = 0; // the newest change of the chat that anybody spoke of
  let asking = false;
  let tries = 0;
  let timer;
  let sent = ""; // what is on its way
  let before = null; // the newest message, and what had the focus, before htmx swaps

  const said = () => document.getElementById("chat-said");
  const shown = () => Number(said().dataset.n);
  const read = () => (!fold || fold.open) && document.visibilityState !== "hidden";

  function selecting() {
    const selection = window.getSelection();
    return Boolean(selection) && !selection.isCollapsed && said().contains(selection.anchorNode);
  }

  // ---- what is new ----

  function count() {
    for (const place of document.querySelectorAll("[data-chat-unread]")) {
      if (place.textContent !== said().dataset.unread) place.textContent = said().dataset.unread;
    }
  }

  /* The messages are before the reader: say so to the site. */
  async function mark() {
    count();
    const unread = said().dataset.unread;
    if (!read() || !unread || !form) return;
    said().dataset.unread = "";
    count();
    const told = new FormData();
    told.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    told.set("n", shown());
    try {
      await fetch(chat.dataset.seen, { method: "POST", body: told, credentials: "same-origin" });
    } catch (offline) {
      said().dataset.unread = unread; // not told: they count as new until the next time
      count();
    }
  }

  // ---- swaps ----

  const held = () => ({
    newest: Number(said().dataset.newest),
    focus: said().contains(document.activeElement) ? document.activeElement.id || (document.activeElement.closest("li") || {}).id : "",
  });

  function settle(was) {
    if (was.focus && (document.activeElement === document.body || !document.activeElement)) {
      const line = "m" + was.focus.replace(/^\D+/, "");
      const place = document.getElementById(was.focus) || document.getElementById(line);
      if (place) place.focus({ preventScroll: true });
    }
    if (Number(said().dataset.newest) > was.newest && said().dataset.says) says.textContent = said().dataset.says;
    mark();
  }

  function later(ms) {
    clearTimeout(timer);
    timer = setTimeout(renew, ms);
  }

  async function renew() {
    clearTimeout(timer);
    const address = said().dataset.address; // none where somebody looks at what was said earlier
    if (asking || !address || heard <= shown()) return;
    if (selecting()) {
      later(SELECTED);
      return;
    }
    asking = true;
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true" }, credentials: "same-origin", cache: "no-store" });
      if (answer.ok) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("chat-said");
        if (fresh && Number(fresh.dataset.n) >= shown()) {
          const was = held();
          said().replaceWith(fresh);
          if (window.htmx) window.htmx.process(fresh);
          settle(was);
        }
      }
    } catch (offline) {
      tries += 1; // asked again below
    } finally {
      asking = false;
      if (heard > shown()) later(Math.min(LAST, FIRST * 2 ** tries++));
      else tries = 0;
    }
  }

  document.addEventListener("race:chat", (event) => {
    heard = Math.max(heard, event.detail);
    renew();
  });

  // ---- sending ----

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt === form) sent = field.value;
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === said()) before = held();
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== form || event.detail.xhr.status !== 200) return;
    if (field.value.startsWith(sent)) field.value = field.value.slice(sent.length); // what was typed meanwhile stays
    says.textContent = "";
    says.textContent = chat.dataset.sent;
  });

  document.addEventListener("htmx:afterSettle", () => {
    if (before) {
      const was = before;
      before = null;
      settle(was);
      renew();
    } else {
      count(); // a part of the page that names the number may be new
    }
  });

  // ---- opening ----

  function open() {
    if (fold) fold.open = true;
  }

  if (fold) fold.addEventListener("toggle", mark);
  document.addEventListener("visibilitychange", mark);
  document.addEventListener("click", (event) => {
    if (event.target.closest && event.target.closest('a[href="#chat"]')) open();
  });
  if (window.location.hash === "#chat") open();
  mark();
})();
