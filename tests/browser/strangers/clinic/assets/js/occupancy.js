(async function (Linden) {
  'use strict';
  const { http, chart, $ } = Linden;
  const { hours } = await http.get('/api/occupancy?day=today');
  chart.columns('#chart', hours.map(({ h, used }) => ({
    label: `${h}:00`,
    share: used,
    tone: used > 90 ? '#b5482f' : '#4a8f7b',
  })));
  $('#legend').textContent = `From ${hours[0].h}:00 to ${hours[hours.length - 1].h}:59, red above nine tenths.`;
})(window.Linden);
