/* The sheet of a round while somebody taps. Without this script every tap is a button that saves and comes back. */
(() => {
  "use strict";
  const words = (text) => text.replaceAll(",", " ").split(/\s+/).filter(Boolean);

  function mark(taps, field) {
    const there = words(field.value.toUpperCase());
    for (const button of taps.querySelectorAll(".tap:not(.back)")) {
      const place = there.indexOf(button.dataset.tap.toUpperCase()) + 1;
      button.classList.toggle("there", place > 0);
      button.querySelector(".at").textContent = place || "";
      if (place) button.setAttribute("aria-label", `${button.dataset.tap}, ${place}`);
      else button.removeAttribute("aria-label");
    }
  }

  for (const taps of document.querySelectorAll("[data-taps]")) {
    const field = document.getElementById(taps.dataset.taps);
    field.addEventListener("input", () => mark(taps, field));
    taps.addEventListener("click", (event) => {
      const button = event.target.closest(".tap");
      if (!button) return;
      event.preventDefault();
      const there = words(field.value);
      const name = button.dataset.tap;
      const at = there.map((one) => one.toUpperCase()).indexOf(name.toUpperCase());
      if (name === "-") there.pop();
      else if (at < 0) there.push(name);
      else if (at === there.length - 1) there.pop(); // the last one, tapped again, goes off
      field.value = there.join(" ");
      mark(taps, field);
    });
  }
})();
