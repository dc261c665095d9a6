(async function (Linden) {
  'use strict';
  const { http, patience, $, esc, fill } = Linden;
  const { items } = await patience.again(5, 500, () =>
    patience.within(4000, (signal) => http.get('/api/labs/inbox', { signal })));
  fill('#results', items.map((r) =>
    `<tr><td>${esc(r.from)}</td><td>${esc(r.patient)}</td><td>${esc(r.test)}</td><td>${esc(r.value)}</td></tr>`).join(''));
  $('#note').textContent = `${items.length} new result`;
  const settings = await http.getJSON('/api/config');
  $('#note').title = `looked up every ${settings.refreshEvery} s`;
})(window.Linden);
