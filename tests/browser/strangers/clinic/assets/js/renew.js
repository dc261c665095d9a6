(function (Linden) {
  'use strict';
  const { http, erx, $, esc, fill } = Linden;

  async function start() {
    erx.open('80276001-7719');
    const paper = await http.get('/api/prescriptions/771');
    fill('#paper', `<h2>${esc(paper.patient)}</h2><p>${esc(paper.medicine)}, ${esc(paper.dose)}, ${esc(paper.pack)}</p>`);
    $('#sign').disabled = false;
    const known = await http.get('/api/interactions?prescription=771');
    $('#interactions').textContent = known.items.length ? `${known.items.length} interactions` : 'No interactions.';
  }

  $('#sign').addEventListener('click', async () => {
    $('#outcome').textContent = 'Signing…';
    try {
      await erx.sign(771);
      $('#outcome').textContent = 'Signed and sent.';
    } catch (error) {
      $('#outcome').textContent = error.status === 403
        ? 'You are not allowed to sign prescriptions. Ask your administrator for the role.'
        : 'The prescription could not be signed.';
    }
  });

  start();
})(window.Linden);
