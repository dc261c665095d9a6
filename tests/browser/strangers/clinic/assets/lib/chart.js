(function (Linden) {
  'use strict';

  function column({ label, share, tone }) {
    return `<div title="${Linden.esc(label)}"><i class="bar" style="height:${share}%;background:${tone}"></i></div>`;
  }

  Linden.chart = {
    columns(selector, rows) {
      Linden.fill(selector, rows.map(column).join(''));
    },
  };
})(window.Linden);
