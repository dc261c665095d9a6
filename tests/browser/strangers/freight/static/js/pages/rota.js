import { http } from '../lib/http.js';
import { $, $$, clock, fill, row } from '../lib/ui.js';

const REFRESH = 1000;
let current = 'day';

async function refresh(view) {
  try {
    const { shifts } = await http.get(`/api/rota?view=${view}`);
    if (view !== current) return;
    fill($('#rota'), shifts.map((shift) => row(shift.driver, shift.time, shift.vehicle)));
    $('#updated').textContent = `as of ${clock(Date.now())}`;
    $('#notice').textContent = '';
  } catch (error) {
    $('#notice').textContent = 'The rota cannot be refreshed at the moment. Please contact IT.';
  }
}

function select(view) {
  current = view;
  $$('#tabs button').forEach((button) => button.setAttribute('aria-pressed', button.dataset.view === view));
  refresh(view);
  setInterval(() => refresh(view), REFRESH);
}

$('#tabs').addEventListener('click', (event) => {
  const view = event.target.dataset.view;
  if (view) select(view);
});

select('day');
