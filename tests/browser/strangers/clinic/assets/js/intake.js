(function (Linden) {
  'use strict';
  const { http, medicines, toast, $, esc, fill } = Linden;
  const KEY = 'lp.intake.draft';
  const form = $('#intake');
  let scan = null;

  function write(draft) {
    try {
      localStorage.setItem(KEY, JSON.stringify(draft));
    } catch (error) {
      // storage is off in private windows
    }
  }

  function read() {
    return JSON.parse(localStorage.getItem(KEY) || 'null');
  }

  function restore() {
    const draft = read();
    if (!draft) {
      $('#last').textContent = 'No draft on this computer.';
      return;
    }
    for (const [name, value] of Object.entries(draft.fields)) form.elements[name].value = value;
    $('#last').textContent = `Draft of ${draft.at}`;
  }

  form.elements.medicines.addEventListener('input', (event) => {
    if (event.target.value.length < 3) return;
    fill('#known', medicines.suggest(event.target.value).map((m) => `<option>${esc(m.name)}</option>`).join(''));
  });

  $('#keep').addEventListener('click', () => {
    write({ at: new Date().toISOString(), fields: Object.fromEntries(new FormData(form)), scan });
    toast('Draft saved.');
  });

  async function start() {
    restore();
    await medicines.refresh();
    scan = (await http.get('/api/intake/4410/scan')).image;
    $('#card').textContent = 'read';
  }

  start();
})(window.Linden);
