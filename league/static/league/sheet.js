/* The result sheet while it is being typed. Without this script the sheet is a plain form and everything works.

   What it adds: cells are saved as they are typed, with the values they were based on; they wait in this browser while
   there is no connection, also over a closed tab; what others type appears in untouched cells; the order of arrival is
   tapped, dragged or typed without a round trip. It never writes into the field that has the focus. */
(() => {
  "use strict";
  document.documentElement.classList.add("scripted");

  const SAVE_AFTER = 600; // ms of quiet before typed cells are sent
  const POLL = 10000; // ms between two looks at what others do
  const RETRY = 4000; // ms between two tries without a connection
  const TIMEOUT = 15000;

  const words = document.getElementById("sheet-words").dataset;
  let panel, form, base, unsent, where;
  let busy = false; // or the cells on their way
  let times = 0; // how often the panel was made anew: an answer to an older one is not taken in
  let posted = null; // what a button of htmx has sent
  let broken = false; // the last try to send failed
  let later = 0;
  let lastPoll = Date.now();

  const $ = (id) => document.getElementById(id);
  const isCell = (el) => el && el.form === form && el.name && form.elements["was-" + el.name] !== undefined;
  const valueOf = (el) => (el.type === "checkbox" ? (el.checked ? "on" : "") : el.value);
  const fieldOf = (key) => $("c-" + key);
  const count = (n, one, many) => (n === 1 ? one : many.replace("{n}", n));

  function put(el, value) {
    if (el.type === "checkbox") el.checked = value === "on";
    else if (el.value !== value) {
      if (el.tagName === "SELECT" && ![...el.options].some((o) => o.value === value)) {
        el.add(new Option(value, value));
      }
      el.value = value;
    }
  }

  // What is typed and not stored yet. It lives in this browser until the server has answered.

  function keep() {
    try {
      if (unsent.size) localStorage.setItem(where, JSON.stringify([...unsent]));
      else localStorage.removeItem(where);
    } catch (full) {
      say(words.refused, true); // private browsing without storage: the autosave still goes on
    }
  }

  function kept() {
    try {
      return new Map(JSON.parse(localStorage.getItem(where) || "[]"));
    } catch (nonsense) {
      return new Map();
    }
  }

  function note(el) {
    const key = el.name;
    const value = valueOf(el);
    const was = unsent.has(key) ? unsent.get(key).was : base[key];
    if (value === was && !(busy && busy.has(key))) unsent.delete(key);
    else unsent.set(key, { value, was });
    keep();
    look(el);
    clearTimeout(later);
    later = setTimeout(send, SAVE_AFTER);
    tell();
  }

  // The line in the bar: what is saved, what waits.

  function say(text, aloud, href) {
    const line = $("line");
    if (!line) return;
    if (aloud) line.setAttribute("role", "status");
    else line.removeAttribute("role");
    if (href) {
      const link = document.createElement("a");
      link.href = href;
      link.textContent = text;
      line.replaceChildren(link);
    } else line.textContent = text;
    line.classList.toggle("off", Boolean(aloud && broken));
  }

  function tell() {
    if (broken) {
      say(unsent.size ? count(unsent.size, words.offlineOne, words.offlineMany) : words.offline, true);
    } else if (unsent.size || busy) say(words.saving + " …", false);
  }

  function clock() {
    return new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  }

  // Sending.

  async function send(poll) {
    clearTimeout(later);
    if (busy || !form || !form.isConnected) {
      if (busy && !poll) later = setTimeout(send, 200);
      return;
    }
    const batch = new Map([...unsent].filter(([key, cell]) => !cell.held || !held(key)));
    if (!batch.size && !poll && !broken) return;
    busy = batch;
    const asked = times;
    lastPoll = Date.now();
    tell();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), TIMEOUT);
    try {
      const answer = await fetch(form.getAttribute("hx-post"), {
        method: batch.size ? "POST" : "GET",
        headers: { "HX-Request": "true", ...(batch.size ? { "X-CSRFToken": token() } : {}) },
        body: batch.size ? body(batch) : undefined,
        credentials: "same-origin",
        cache: "no-store",
        signal: stop.signal,
      });
      const text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      const next = fresh.querySelector("#sheet[data-keep]");
      busy = false;
      if (next && [200, 409, 422].includes(answer.status)) {
        const was = broken;
        broken = false;
        if (asked !== times) later = setTimeout(send, SAVE_AFTER);
        else if (next.querySelector("#sheet-form")) merge(next, batch);
        else replace(next);
        if (unsent.size && [...unsent.values()].some((cell) => !cell.held)) later = setTimeout(send, SAVE_AFTER);
        else if (batch.size || was) say(was && batch.size ? words.again : words.saved + " " + clock(), was);
        else tell();
      } else if (answer.redirected || answer.status === 401) {
        broken = true;
        say(words.signedOff, true, location.href);
      } else if (answer.status >= 500 || answer.status === 403) {
        broken = true;
        tell();
      } else {
        broken = true;
        const why = fresh.querySelector("[role=alert]");
        say((why ? why.textContent.trim() + " " : "") + words.refused, true);
      }
    } catch (lost) {
      busy = false;
      broken = true;
      tell();
    } finally {
      clearTimeout(timer);
    }
  }

  function body(batch) {
    const data = new URLSearchParams();
    for (const [key, cell] of batch) {
      data.set(key, cell.value);
      data.set("was-" + key, cell.was);
    }
    return data;
  }

  function token() {
    const cookie = document.cookie.split("; ").find((c) => c.startsWith("csrftoken="));
    return cookie ? cookie.slice(10) : form.elements.csrfmiddlewaretoken.value;
  }

  function held(key) {
    const el = fieldOf(key);
    return el && el.dataset.clash !== undefined;
  }

  addEventListener("pagehide", () => {
    if (!form || !unsent || !unsent.size) return;
    fetch(form.getAttribute("hx-post"), {
      method: "POST",
      headers: { "HX-Request": "true", "X-CSRFToken": token() },
      body: body(unsent),
      credentials: "same-origin",
      keepalive: true,
    }).catch(() => {}); // what is not stored now is kept here, and sent when the sheet is opened again
  });

  // Taking in an answer without disturbing the one who types.

  function merge(next, batch) {
    const focus = document.activeElement;
    const anchor = focus && form.contains(focus) ? focus.getBoundingClientRect().top : null;
    for (const id of ["sheet-stamp", "sheet-state", "ridden", "told", "race-says", "strays", "sign-in", "bar-says", "bar-do", "stands"]) {
      renew(next, id);
    }
    for (const says of next.querySelectorAll(".says-all")) renew(next, says.id);
    for (const fresh of next.querySelectorAll("[id^=row-], .run-h")) {
      const mine = fresh.id ? $(fresh.id) : null;
      if (!mine) continue;
      for (const mark of ["bad", "asked"]) mine.classList.toggle(mark, fresh.classList.contains(mark));
      const head = mine.querySelector(":scope > .run-h");
      if (head) {
        for (const mark of ["bad", "asked"]) {
          head.classList.toggle(mark, fresh.querySelector(".run-h").classList.contains(mark));
        }
        head.querySelector(".who").innerHTML = fresh.querySelector(".run-h .who").innerHTML;
      }
    }
    for (const fresh of next.querySelectorAll("[id^=c-]")) {
      const el = $(fresh.id);
      if (el && isCell(el)) take(el, fresh, batch);
    }
    if (!form.querySelector("#order :focus")) sort();
    again();
    const id = focus && focus.id;
    if (id && !focus.isConnected && $(id)) $(id).focus({ preventScroll: true });
    if (anchor !== null && document.activeElement && document.activeElement.id === id) {
      scrollBy(0, document.activeElement.getBoundingClientRect().top - anchor);
    }
    keep();
  }

  function take(el, fresh, batch) {
    const key = el.name;
    const server = valueOf(fresh);
    for (const name of ["aria-invalid", "aria-describedby", "data-clash"]) {
      if (fresh.hasAttribute(name)) el.setAttribute(name, fresh.getAttribute(name));
      else el.removeAttribute(name);
    }
    el.className = fresh.className;
    if (el.tagName === "SELECT") options(el, fresh);
    const sent = batch && batch.get(key);
    const mine = unsent.get(key);
    if (sent && (server === sent.value || fresh.dataset.clash === sent.value)) {
      // stored, or one side of a clash: from here on it is what the cell is based on
      base[key] = sent.value;
      if (mine && mine.value === sent.value) unsent.delete(key);
      else if (mine) mine.was = sent.value;
    } else if (sent && fresh.dataset.clash !== undefined) {
      if (mine) mine.held = true; // a third value: it waits until the other two are settled
    } else if (sent) {
      base[key] = server; // the cell holds what was meant: 014 is 14
      if (mine && mine.value === sent.value) unsent.delete(key);
      else if (mine) mine.was = server;
    }
    if (unsent.has(key)) {
      const cell = unsent.get(key);
      if (fresh.dataset.clash === undefined) delete cell.held;
      form.elements["was-" + key].value = cell.was;
      return;
    }
    if (fresh.dataset.clash !== undefined && valueOf(el) === fresh.dataset.clash) {
      base[key] = fresh.dataset.clash;
    } else if (el !== document.activeElement || el.type === "checkbox") {
      base[key] = server;
      put(el, server);
      look(el);
    } else if (valueOf(el) === server) base[key] = server;
    form.elements["was-" + key].value = base[key];
  }

  function options(el, fresh) {
    if ([...el.options].map((o) => o.value + o.text).join() === [...fresh.options].map((o) => o.value + o.text).join()) return;
    if (el === document.activeElement) return;
    const value = el.value;
    el.innerHTML = fresh.innerHTML;
    put(el, value);
  }

  function renew(next, id) {
    const mine = $(id);
    const fresh = next.querySelector("#" + CSS.escape(id));
    if (!mine || !fresh || mine.innerHTML === fresh.innerHTML) return;
    const open = [...mine.querySelectorAll("details[open]")].map((d) => d.id);
    mine.innerHTML = fresh.innerHTML;
    for (const d of open) if ($(d)) $(d).open = true;
    if (window.htmx) window.htmx.process(mine);
  }

  function replace(next) {
    panel.replaceWith(next);
    if (window.htmx) window.htmx.process(next);
    start();
  }

  // The order of arrival. The same steps as on the server (next free place; neighbours change places).

  const rows = () => [...form.querySelectorAll("#order > [data-order]")];
  const placeField = (row) => fieldOf(row.dataset.order);

  function place(row) {
    const text = placeField(row).value.trim().replace(/\.$/, "");
    return /^\d{1,4}$/.test(text) && Number(text) > 0 ? Number(text) : null;
  }

  function sort(moved) {
    const order = $("order");
    const old = rows();
    const sorted = [...old].sort((a, b) => {
      const [x, y] = [place(a), place(b)];
      if (x !== y) return x === null ? 1 : y === null ? -1 : x - y;
      return Number(a.dataset.bib) - Number(b.dataset.bib);
    });
    if (sorted.some((row, n) => row !== old[n])) {
      const focus = document.activeElement;
      const inside = order.contains(focus);
      const top = inside ? focus.getBoundingClientRect().top : 0;
      const caret = inside && typeof focus.selectionStart === "number" ? [focus.selectionStart, focus.selectionEnd] : null;
      sorted.forEach((row, n) => {
        if (order.children[n] !== row) order.insertBefore(row, order.children[n]);
      });
      if (inside && focus !== document.activeElement) {
        focus.focus({ preventScroll: true });
        if (caret) focus.setSelectionRange(...caret); // the next key goes on where the last one stood, and replaces nothing
      }
      if (inside && /^(INPUT|SELECT)$/.test(focus.tagName)) scrollBy(0, focus.getBoundingClientRect().top - top);
    }
    again();
    if (moved) {
      moved.classList.remove("moved");
      void moved.offsetWidth;
      moved.classList.add("moved");
    }
  }

  function again() {
    for (const row of rows()) buttons(row);
  }

  function buttons(row) {
    const n = place(row);
    row.querySelector(".pl").textContent = n === null ? "–" : n;
    const mv = row.querySelector(".mv");
    const status = row.querySelector("select[name^=status-]");
    const out = !row.classList.contains("run") && status && ["dns", "dnf"].includes(status.value);
    const wanted = n !== null ? "placed" : out ? "none" : "open";
    if (mv.dataset.has === wanted) return;
    mv.dataset.has = wanted;
    const name = row.querySelector(".who b").textContent;
    const made = (kind) => {
      const button = $("mv-" + kind).content.firstElementChild.cloneNode(true);
      const key = row.dataset.order;
      button.id = kind + "-" + key;
      button.value = key;
      const hidden = button.querySelector(".vh");
      hidden.textContent = hidden.textContent.replace("{name}", name);
      return button;
    };
    const had = mv.contains(document.activeElement);
    mv.replaceChildren(...(wanted === "placed" ? [made("up"), made("down")] : wanted === "open" ? [made("next")] : []));
    if (had && mv.firstElementChild) mv.firstElementChild.focus({ preventScroll: true });
  }

  function write(row, n) {
    const el = placeField(row);
    if (place(row) === n) return;
    put(el, String(n));
    note(el);
  }

  function arrange(order) {
    // the places that are given stay given; their holders change
    const given = order.map(place).filter((n) => n !== null);
    let free = 1;
    while (given.length < order.length) {
      while (given.includes(free)) free += 1;
      given.push(free);
    }
    given.sort((a, b) => a - b);
    const twice = new Set(given).size < given.length;
    order.forEach((row, n) => write(row, twice ? n + 1 : given[n]));
  }

  function move(kind, key) {
    const row = $("row-" + key);
    const placed = rows().filter((r) => place(r) !== null);
    if (kind === "next") {
      const taken = placed.map(place);
      let n = 1;
      while (taken.includes(n)) n += 1;
      write(row, n);
    } else {
      const at = placed.indexOf(row);
      const to = at + (kind === "up" ? -1 : 1);
      if (at < 0 || to < 0 || to >= placed.length) return;
      [placed[at], placed[to]] = [placed[to], placed[at]];
      arrange(placed);
    }
    const button = document.activeElement;
    sort(row);
    if (kind !== "next" && button && button.isConnected) button.scrollIntoView({ block: "nearest" });
    if (kind === "next") {
      const open = form.querySelector("button[name=next]");
      if (open && button && !button.isConnected) open.focus({ preventScroll: true });
    }
    send();
  }

  function sameAsAbove(key) {
    sort(); // a place that was typed just now counts
    const turns = [...form.querySelectorAll("#order input[name^=turn-]")];
    const at = turns.findIndex((el) => el.name === key);
    if (at > 0 && turns[at - 1].value) {
      put(turns[at], turns[at - 1].value);
      note(turns[at]);
    }
    if (at >= 0) turns[at].focus();
  }

  function look(el) {
    // blank status means arrived as soon as there is a turn
    const turn = /^turn-(.+)$/.exec(el.name);
    const status = turn && fieldOf("status-" + turn[1]);
    if (status && status.options[0].value === "" && ![...status.options].some((o) => o.value === "finished")) {
      status.options[0].text = el.value.trim() ? words.arrived : words.blank;
    }
    if (/^status-/.test(el.name)) again();
  }

  // Dragging by the place number.

  let drag = null;

  function dragStart(event) {
    const handle = event.target.closest("[data-handle]");
    if (!handle || event.button > 0 || !handle.closest("#order")) return;
    const row = handle.closest("[data-order]");
    event.preventDefault();
    drag = { row, id: event.pointerId, moved: false };
    handle.setPointerCapture(event.pointerId);
    row.classList.add("dragging");
  }

  function dragMove(event) {
    if (!drag || event.pointerId !== drag.id) return;
    event.preventDefault();
    const first = drag.y === undefined;
    drag.y = event.clientY;
    if (first) requestAnimationFrame(dragStep);
    dragPlace();
  }

  function dragStep() {
    // held near an edge, the page goes on under the finger
    if (!drag) return;
    const low = innerHeight - ($("bar") ? $("bar").offsetHeight : 0) - 40;
    const by = drag.y < 60 ? -9 : drag.y > low ? 9 : 0;
    if (by) {
      scrollBy(0, by);
      dragPlace();
    }
    requestAnimationFrame(dragStep);
  }

  function dragPlace() {
    const order = $("order");
    const next = rows().find((other) => {
      if (other === drag.row) return false;
      const box = other.getBoundingClientRect();
      return drag.y < box.top + box.height / 2;
    });
    if (next ? drag.row.nextElementSibling === next : order.lastElementChild === drag.row) return;
    order.insertBefore(drag.row, next || null);
    drag.moved = true;
  }

  function dragEnd(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { row, moved } = drag;
    row.classList.remove("dragging");
    drag = null;
    if (event.type === "pointercancel" || !moved) return sort();
    arrange(rows().filter((r) => r === row || place(r) !== null));
    sort(row);
    send();
  }

  // Beginning, with what waits in this browser.

  function start() {
    times += 1;
    panel = $("sheet");
    form = $("sheet-form");
    where = "sheet:" + panel.dataset.keep;
    unsent = kept();
    base = {};
    if (!form) {
      listUnsent();
      return;
    }
    for (const el of form.elements) if (isCell(el)) base[el.name] = form.elements["was-" + el.name].value;
    let restored = 0;
    for (const [key, cell] of [...unsent]) {
      const el = fieldOf(key);
      if (!el || !isCell(el)) {
        if (!key.startsWith("sure-")) continue;
        unsent.delete(key);
      } else if (base[key] === cell.value || el.dataset.clash === cell.value) unsent.delete(key);
      else {
        if (posted && posted.get(key) === base[key]) cell.was = base[key];
        form.elements["was-" + key].value = cell.was;
        put(el, cell.value);
        look(el);
        restored += 1;
      }
    }
    keep();
    sort();
    if (restored) {
      say(count(restored, words.restoredOne, words.restoredMany), true);
      send();
    }
  }

  function listUnsent() {
    // the sheet has become official while cells waited here
    const told = $("kept-here");
    if (told && unsent.size) told.textContent = count(unsent.size, words.keptOne, words.keptMany);
  }

  document.addEventListener("input", (event) => {
    if (isCell(event.target)) note(event.target);
  });
  document.addEventListener("change", (event) => {
    if (!isCell(event.target)) return;
    note(event.target);
    const row = event.target.closest("[data-order]");
    if (row && placeField(row) === event.target) setTimeout(sort, 0); // when the focus has gone on
    send();
  });
  document.addEventListener("keydown", (event) => {
    const el = event.target;
    if (!isCell(el) || el.tagName !== "INPUT" || el.type === "checkbox") return;
    if (event.key === "Enter") {
      event.preventDefault(); // the phone's "next" key
      const fields = [...form.elements].filter((f) => isCell(f) && f.type !== "checkbox" && f.offsetParent);
      const next = fields[fields.indexOf(el) + 1];
      if (next) next.focus();
    } else if (event.key === "=" && el.name.startsWith("turn-")) {
      event.preventDefault();
      sameAsAbove(el.name);
    }
  });
  document.addEventListener("focusin", (event) => {
    if (isCell(event.target) && event.target.inputMode === "numeric") event.target.select();
  });
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      if (button && button.form === form && form) {
        if (["up", "down", "next"].includes(button.name)) {
          event.preventDefault();
          event.stopPropagation();
          move(button.name, button.value);
        } else if (button.name === "same") {
          event.preventDefault();
          event.stopPropagation();
          sameAsAbove(button.value);
        }
      }
      const link = event.target.closest("a[href^='#c-']");
      if (link && $(link.hash.slice(1))) {
        event.preventDefault();
        const el = $(link.hash.slice(1));
        el.scrollIntoView({ block: "center" });
        el.focus({ preventScroll: true });
      }
    },
    true,
  );
  document.addEventListener("pointerdown", dragStart);
  document.addEventListener("pointermove", dragMove, { passive: false });
  document.addEventListener("pointerup", dragEnd);
  document.addEventListener("pointercancel", dragEnd);

  // A button that htmx sends (publish, settle, throw away) takes the whole form along.
  document.addEventListener("htmx:beforeRequest", () => {
    clearTimeout(later);
    if (form) posted = new Map(Object.keys(base).map((key) => [key, fieldOf(key) ? valueOf(fieldOf(key)) : ""]));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id !== "sheet") return;
    start();
    posted = null;
    const alert = $("sheet-refusal");
    if (alert) alert.scrollIntoView({ block: "nearest" });
  });
  for (const lost of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(lost, () => {
      broken = true;
      tell();
    });
  }

  addEventListener("online", () => send(true));
  addEventListener("offline", () => {
    broken = true;
    tell();
  });
  addEventListener("focus", () => send(true));
  addEventListener("pageshow", (event) => event.persisted && send(true));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && send(true));
  setInterval(() => {
    if (broken && document.visibilityState === "visible") send(true);
  }, RETRY);
  setInterval(() => {
    if (document.visibilityState === "visible" && Date.now() - lastPoll > POLL - 500 && form) send(true);
  }, 1000);

  start();
})();
