/* Times of a race's clock in the reader's own zone. Without this script they stand in the zone that is named beside them. */
(() => {
  "use strict";
  const words = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });

  function tell() {
    for (const time of document.querySelectorAll("time[data-clock]")) {
      const instant = new Date(time.dateTime);
      if (!Number.isNaN(instant.getTime())) time.textContent = words.format(instant);
    }
  }

  document.addEventListener("htmx:afterSettle", tell);
  tell();
})();
