(async function (Linden) {
  'use strict';
  const { http, widgets, $ } = Linden;
  widgets.mount(document);
  const counts = await http.get('/api/counts');
  $('#counts').textContent = `${counts.agenda} appointments, ${counts.tasks} tasks`;
})(window.Linden);
