"use strict";
// Sorts a table by a column: numbers by value (a count `k/n` by its share), what is no number last.
(function () {
  function value(cell) {
    var text = cell.textContent.trim();
    var share = /^(\d+)\/(\d+)$/.exec(text);
    if (share) return Number(share[1]) / Number(share[2]);
    var found = /^[[$]*([+-]?\d[\d.]*(?:e[+-]?\d+)?)/i.exec(text);
    return found ? Number(found[1]) : NaN;
  }
  function compare(at, numeric, sign) {
    return function (a, b) {
      if (!numeric) {
        return sign * a.cells[at].textContent.localeCompare(b.cells[at].textContent, "en");
      }
      var x = value(a.cells[at]), y = value(b.cells[at]);
      if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
      return sign * (x - y);
    };
  }
  function sort(head) {
    var table = head.closest("table");
    var ascending = head.getAttribute("aria-sort") !== "ascending";
    var rows = Array.from(table.tBodies[0].rows);
    rows.sort(compare(head.cellIndex, head.classList.contains("n"), ascending ? 1 : -1));
    rows.forEach(function (row) { table.tBodies[0].appendChild(row); });
    table.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  }
  document.querySelectorAll("th button").forEach(function (button) {
    button.addEventListener("click", function () { sort(button.parentNode); });
  });
})();
