(async function (Linden) {
  'use strict';
  const { http, esc, fill } = Linden;
  const answer = await http.get('/api/prescriptions/repeats?due=week');
  const due = answer.items || [];
  fill('#due', due.map((r) => `<li>${esc(r.due)}: ${esc(r.patient)}, ${esc(r.medicine)}</li>`).join('')
    || '<li>Nothing has to be repeated this week.</li>');
})(window.Linden);
