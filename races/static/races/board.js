/* The choices on the board are links; without this script Tab walks through them, nearest first. With it they are one
   stop of Tab: arrows go to the nearest choice in that direction on the page, Home and End to the nearest and the
   farthest move, Enter follows the link, Escape drops what is previewed (the link marked data-drop, if there is one). */
(() => {
  "use strict";

  const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  const choicesOf = (picture) => [...picture.querySelectorAll("a.bd-choice")];

  const middle = (link) => {
    const box = link.querySelector(".bd-target").getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // One choice of each picture takes Tab: the one that has the focus, else the previewed one, else the nearest.
  function settle(picture, wanted) {
    const links = choicesOf(picture);
    const one =
      wanted || links.find((link) => link === document.activeElement) || links.find((link) => link.matches(".bd-chosen")) || links[0];
    for (const link of links) link.setAttribute("tabindex", link === one ? "0" : "-1");
  }

  function settleAll() {
    for (const picture of document.querySelectorAll("svg.bd-live")) settle(picture);
  }

  // The nearest choice that lies more in that direction than to its side.
  function towards(links, from, [dx, dy]) {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const link of links) {
      if (link === from) continue;
      const [ox, oy] = middle(link);
      const ahead = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (ahead <= 1 || aside > ahead * 3) continue;
      const far = ahead + 2 * aside;
      if (far < least) [best, least] = [link, far];
    }
    return best;
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const from = event.target.closest && event.target.closest("svg.bd-live a.bd-choice");
    if (!from) return;
    if (event.key === "Escape") {
      const drop = document.querySelector("[data-drop]");
      if (drop) drop.click();
      return;
    }
    const picture = from.closest("svg.bd-live");
    const links = choicesOf(picture);
    let to = null;
    if (ARROWS[event.key]) to = towards(links, from, ARROWS[event.key]);
    else if (event.key === "Home") to = links[0];
    else if (event.key === "End") to = links[links.length - 1];
    else return;
    event.preventDefault();
    if (!to) return;
    settle(picture, to);
    to.focus();
  });

  document.addEventListener("focusin", (event) => {
    const link = event.target.closest && event.target.closest("svg.bd-live a.bd-choice");
    if (link) settle(link.closest("svg.bd-live"), link);
  });

  document.addEventListener("htmx:afterSettle", settleAll);
  settleAll();
})();
