(function (Linden) {
  'use strict';
  const { http, $, esc } = Linden;
  const EVERY = 300;

  function tip(cell, text) {
    const box = document.createElement('div');
    box.className = 'tip';
    box.textContent = text;
    $('#overlays').append(box);
    const put = () => {
      const at = cell.getBoundingClientRect();
      box.style.left = `${at.right + 6}px`;
      box.style.top = `${at.top}px`;
    };
    cell.addEventListener('mouseenter', () => { put(); box.style.visibility = 'visible'; });
    cell.addEventListener('mouseleave', () => { box.style.visibility = 'hidden'; });
    window.addEventListener('resize', put);
  }

  function row(item) {
    const tr = document.createElement('tr');
    tr.innerHTML = `<td>${esc(item.ticket)}</td><td>${item.room}</td><td>${item.since} min</td>`;
    tip(tr.cells[0], item.reason);
    return tr;
  }

  async function refresh() {
    try {
      const { items } = await http.get('/api/wall');
      $('#tickets').replaceChildren(...items.map(row));
    } finally {
      setTimeout(refresh, EVERY);
    }
  }

  refresh();
})(window.Linden);
