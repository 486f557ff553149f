/* Numbers that share a limit: what is used of it and what is left, while somebody types. Without this script the server
   counts what was sent. */
(() => {
  "use strict";

  function count(budget) {
    const limit = Number(budget.dataset.budget);
    const used = [...budget.querySelectorAll("input")]
      .map((field) => Number(field.value.trim()))
      .reduce((sum, value) => sum + (Number.isInteger(value) ? value : 0), 0);
    const sum = budget.querySelector(".budget-sum");
    const words = sum.querySelector("[data-left]");
    const left = limit - used;
    sum.querySelector("[data-used]").textContent = used;
    words.textContent = (left > 0 ? words.dataset.left : left < 0 ? words.dataset.over : words.dataset.even).replace("{n}", Math.abs(left));
    sum.classList.toggle("left", left > 0);
    sum.classList.toggle("over", left < 0);
  }

  // the panel is renewed again and again: the document hears what is typed into whichever is there
  document.addEventListener("input", (event) => {
    const budget = event.target.closest("[data-budget]");
    if (budget) count(budget);
  });
})();
