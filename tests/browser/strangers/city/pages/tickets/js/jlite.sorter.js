/* sorter: click on a table head to sort */
(function ($) {
  $.fn.sorter = function (options) {
    return this.each(function () {
      var table = this, body = table.tBodies[0];
      $(table.querySelectorAll('th')[options.column]).on('click', function () {
        var rows = Array.prototype.slice.call(body.rows);
        rows.sort(function (a, b) { return a.cells[options.column].textContent - b.cells[options.column].textContent; });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  };
})(jlite);
