(function (Linden) {
  'use strict';
  const { http, patience, $, esc, fill } = Linden;

  async function results(config) {
    try {
      const { items } = await patience.again(3, 250, () =>
        patience.within(config.labTimeout, (signal) => http.get('/api/labs/recent', { signal })));
      return items;
    } catch (error) {
      return [];
    }
  }

  async function show(config) {
    const items = await results(config);
    fill('#results', items.map((r) =>
      `<tr><td>${esc(r.patient)}</td><td>${esc(r.test)}</td><td>${esc(r.value)}</td><td class="alert">${esc(r.flag)}</td></tr>`).join(''));
    $('#note').textContent = items.length ? `${items.length} results` : 'No results in the last 24 hours.';
    setTimeout(() => show(config), config.refreshEvery * 1000);
  }

  http.get('/api/config').then(show);
})(window.Linden);
