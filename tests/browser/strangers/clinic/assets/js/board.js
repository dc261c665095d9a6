(async function (Linden) {
  'use strict';
  const { http, prefs, toast, $, esc, fill } = Linden;
  const TITLES = { name: 'Name', born: 'Born', seen: 'Last seen', phone: 'Phone', doctor: 'Doctor', next: 'Next visit' };
  const { items } = await http.get('/api/patients');
  let { columns = [] } = await prefs.load('board');

  function draw() {
    fill('#columns', '<legend>Columns</legend>' + Object.entries(TITLES).map(([key, title]) =>
      `<label><input type="checkbox" data-col="${key}"${columns.includes(key) ? ' checked' : ''}> ${title}</label>`).join(''));
    fill('#head', `<tr>${columns.map((c) => `<th>${TITLES[c]}</th>`).join('')}</tr>`);
    fill('#body', columns.length
      ? items.map((p) => `<tr>${columns.map((c) => `<td>${esc(p[c] ?? '–')}</td>`).join('')}</tr>`).join('') : '');
    $('#note').textContent = columns.length ? `${items.length} patients` : 'You have chosen no columns.';
  }

  $('#columns').addEventListener('change', async (event) => {
    const key = event.target.dataset.col;
    columns = event.target.checked ? [...columns, key] : columns.filter((c) => c !== key);
    draw();
    await prefs.save('board', { columns });
    toast('Saved.');
  });

  draw();
})(window.Linden);
