/* A page of a race while others ride. Without this script the page is as it was when it was asked for, and everything works.

   The stream says only how far the race is. Whoever has less fetches his own page's panel; where there is no stream the
   page asks every few seconds. On waking, on coming back and with the network back it asks at once. A panel in which
   something is chosen or typed is left alone until its owner wants the news. What was sent and got no answer stays as it
   is, and a line says so: its key makes it count once, however often it is sent. Nothing here moves or scrolls.
   How far the chat is goes to whoever listens on the document ("race:chat"); a page may have a chat and no panel. */
(() => {
  "use strict";
  const live = document.getElementById("live");
  if (!live) return;

  const POLL = 4000; // ms between two questions without a stream
  const ASLEEP = 20000; // the same while nobody looks
  const CALM = 60000; // the same beside a stream that works
  const AFTER = 15000; // the same when the race is over and people still talk, while somebody looks
  const SILENT = 2000; // ms after which a stream is behind that has not told what the poll knows
  const TIMEOUT = 8000;
  const CROWD = 500; // ms over which those who only watch spread their questions

  const words = live.dataset;
  const says = document.getElementById("live-says");
  const news = document.getElementById("live-news");
  const lost = document.getElementById("live-lost");
  const chat = document.getElementById("chat");
  const icon = document.querySelector("link[rel=icon]");
  const plainIcon = icon && icon.getAttribute("href");
  let plainTitle = document.title;
  let told = 0; // the newest entry that anybody spoke of
  let answered = { n: 0, due: false }; // what the newest question found: how far the race is, and whether it is the viewer's move
  let room = panel() ? panel().dataset.room || "" : ""; // the state of the room that is shown, and the one that was told
  let toldRoom = room;
  let source = null;
  let streams = false; // the stream is open
  let streamed = 0; // the newest entry that the stream spoke of
  let over = false;
  let gone = false;
  let asking = null; // the question that is out
  let fetching = false;
  let wanted = false; // the viewer asked for the news, whatever he has chosen
  let tries = 0; // fetches in a row that were still behind
  let posting = 0; // submissions on their way
  let wait = 5000; // ms before a refused stream is tried again
  let pollTimer, streamTimer, lookTimer;
  let pollAt = 0; // when the next question is asked; 0: none is planned
  let before = null; // what had the focus, and which details were open, before a swap

  function panel() {
    return document.querySelector("[data-live]");
  }

  const shown = () => Number(panel().dataset.n || 0);
  const visible = () => document.visibilityState !== "hidden";

  // ---- what is shown ----

  /* Whether it is the viewer's move; if the race has gone on under a panel that is left alone, what was heard of it. */
  function isDue() {
    const said = panel().dataset.due;
    return said !== "never" && answered.n > shown() ? answered.due : said === "yes";
  }

  function mark() {
    const sign = "(" + words.due + ") ";
    if (panel().dataset.title) plainTitle = panel().dataset.title;
    else if (!document.title.startsWith(sign)) plainTitle = document.title;
    const due = isDue();
    document.title = due ? sign + plainTitle : plainTitle;
    if (icon) icon.setAttribute("href", due ? words.icon : plainIcon);
  }

  function changed(field) {
    if (field.type === "hidden" || field.type === "submit" || field.type === "button") return false;
    if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") {
      const chosen = [...field.options].some((option) => option.defaultSelected);
      return [...field.options].some((option, i) => option.selected !== (chosen ? option.defaultSelected : i === 0));
    }
    return "defaultValue" in field && field.value !== field.defaultValue;
  }

  /* Somebody has begun to choose: a preview is open, or a field of the panel is not as it came. */
  function choosing() {
    if (panel().matches("[data-preview]") || panel().querySelector("[data-preview]")) return true;
    return [...panel().querySelectorAll("input, select, textarea")].some(changed);
  }

  function announce(text) {
    const line = news.querySelector("span");
    if (line.textContent !== text) line.textContent = text;
    news.hidden = !text;
  }

  /* That something was sent and not taken; empty: no more of it. */
  function complain(text) {
    lost.textContent = text;
    lost.hidden = !text;
  }

  /* Compare what is shown with what was told, and do what follows. */
  function look() {
    if (!panel() || gone) return;
    const newer = told > shown();
    if (!newer && toldRoom === room) {
      announce("");
      tries = 0;
      return;
    }
    if (posting || fetching) return; // looked at again when the answer is here
    if (window.htmx && !choosing()) {
      renew();
      return;
    }
    announce(newer ? words.news.replace("{n}", told) : words.room);
    if (answered.n < told) ask();
  }

  function renew() {
    clearTimeout(lookTimer);
    if (room.startsWith("open.") && !toldRoom.startsWith("open.")) {
      if (!wanted && [...document.querySelectorAll("textarea")].some(changed)) {
        announce(words.room); // what is half typed beside the panel would be lost
        return;
      }
      window.location.reload(); // the race has begun: another page
      return;
    }
    fetching = true;
    window.htmx.trigger(live, "race:newer");
  }

  function later(ms) {
    clearTimeout(lookTimer);
    lookTimer = setTimeout(look, ms);
  }

  function hear(n, newRoom) {
    if (n > told) told = n;
    if (newRoom) {
      if (!toldRoom) room = newRoom; // the page did not say: as it came
      toldRoom = newRoom;
    }
    if (over && panel() && n > shown()) over = false; // a table that took back its last entry
    later(panel() && panel().dataset.seat ? 0 : Math.random() * CROWD);
  }

  function talk(n) {
    if (n) document.dispatchEvent(new CustomEvent("race:chat", { detail: n }));
  }

  news.querySelector("a").addEventListener("click", (event) => {
    if (!window.htmx) return;
    event.preventDefault();
    announce("");
    wanted = true;
    renew();
  });

  // ---- swaps ----

  const ours = (event) => event.detail.elt === live || (event.detail.requestConfig || {}).elt === live;

  document.addEventListener("htmx:configRequest", (event) => {
    const kept = document.querySelector("[data-address]"); // where on the board its owner looks
    if (ours(event) && kept) event.detail.path = kept.dataset.address;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (ours(event)) return;
    complain("");
    if ((event.detail.requestConfig || {}).verb === "post") posting += 1;
  });

  for (const silent of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(silent, (event) => ours(event) || complain(words.unsent));
  }

  document.addEventListener("htmx:responseError", (event) => {
    if (!ours(event)) complain(event.detail.xhr.status >= 500 ? words.unsent : words.untaken);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (ours(event)) {
      fetching = wanted = false;
      tries = Math.min(tries + 1, 6);
      later(500 * 2 ** tries); // nothing to do by then, as a rule
    } else if ((event.detail.requestConfig || {}).verb === "post") {
      posting = Math.max(0, posting - 1);
      later(0);
    }
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const current = panel();
    if (!current || !(event.detail.target === current || ours(event))) return;
    const found = /data-n="(\d+)"/.exec(event.detail.serverResponse || "");
    if (found && Number(found[1]) < shown()) {
      event.detail.shouldSwap = false; // an answer that was overtaken
      return;
    }
    if (ours(event) && choosing() && !wanted) {
      event.detail.shouldSwap = false; // began to choose while the news was on its way
      return;
    }
    const focus = document.activeElement;
    before = {
      focus: current.contains(focus) ? focus.id || true : null,
      open: [...current.querySelectorAll("details[id][open]")].map((details) => details.id),
      newest: newest(),
    };
  });

  const newest = () => {
    const line = panel() && panel().querySelector("[data-newest]");
    return line ? line.textContent.trim().replace(/\s+/g, " ") : "";
  };

  document.addEventListener("htmx:afterSettle", () => {
    if (!panel()) return;
    mark();
    if (before) {
      for (const id of before.open) {
        const details = document.getElementById(id);
        if (details) details.open = true;
      }
      if (before.focus && (document.activeElement === document.body || !document.activeElement)) {
        panel().tabIndex = -1; // what had the focus is gone: stay where it was
        panel().focus({ preventScroll: true });
      }
      if (newest() !== before.newest) says.textContent = newest();
      before = null;
      complain("");
      room = panel().dataset.room || toldRoom;
    }
    later(0);
  });

  // ---- the stream ----

  function connect() {
    clearTimeout(streamTimer);
    if (source) source.close();
    source = null;
    streams = false;
    if (gone || over || !("EventSource" in window)) return;
    source = new EventSource(words.events);
    source.addEventListener("open", () => {
      streams = true;
      wait = 5000;
      streamed = 0;
      stopPoll();
      poll();
    });
    source.addEventListener("race", (event) => {
      streamed = Number(event.data);
      hear(streamed, "");
    });
    source.addEventListener("room", (event) => hear(0, event.data));
    source.addEventListener("chat", (event) => talk(Number(event.data)));
    source.addEventListener("over", () => {
      over = true;
      source.close();
      source = null;
      streams = false;
      stopPoll();
      poll();
    });
    source.addEventListener("error", () => {
      streams = false;
      poll();
      if (source && source.readyState === EventSource.CLOSED) {
        clearTimeout(streamTimer);
        streamTimer = setTimeout(connect, wait); // refused: not by mistake, perhaps, so not at once
        wait = Math.min(60000, wait * 2);
      }
    });
  }

  // ---- the poll ----

  /* Ask after a while; a question that comes sooner anyway stays. */
  function poll() {
    if (gone || (over && !(chat && visible()))) return;
    const at = Date.now() + (over ? AFTER : streams ? CALM : visible() ? POLL : ASLEEP);
    if (pollAt && pollAt <= at) return;
    clearTimeout(pollTimer);
    pollAt = at;
    pollTimer = setTimeout(ask, at - Date.now());
  }

  function stopPoll() {
    clearTimeout(pollTimer);
    pollAt = 0;
  }

  async function ask() {
    stopPoll();
    if (gone || asking) return;
    const out = new AbortController();
    asking = out;
    const limit = setTimeout(() => out.abort(), TIMEOUT);
    try {
      const answer = await fetch(words.version, { cache: "no-cache", credentials: "same-origin", signal: out.signal });
      if (answer.ok) {
        const now = await answer.json();
        answered = now;
        if (panel()) mark();
        hear(now.n, now.room);
        talk(now.chat);
        if (streams && now.n > streamed) setTimeout(() => streams && now.n > streamed && connect(), SILENT);
        if (!source && !over) connect();
      } else if (answer.status === 404 || answer.status === 403) {
        gone = true;
        if (source) source.close();
        announce(words.gone);
      }
    } catch (offline) {
      says.textContent = ""; // asked again by the timer, or by the network when it is back
    } finally {
      clearTimeout(limit);
      asking = null;
      poll();
    }
  }

  function wake() {
    if (!panel() && !chat) return;
    if (!source) connect();
    ask();
  }

  document.addEventListener("visibilitychange", () => visible() && wake());
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      fetching = false;
      posting = 0;
      wake();
    }
  });
  window.addEventListener("pagehide", () => {
    stopPoll();
    clearTimeout(streamTimer);
    if (asking) asking.abort();
    if (source) source.close();
    source = null;
    streams = false;
  });

  if (panel() || chat) {
    if (panel()) mark();
    connect();
    poll();
  }
})();
