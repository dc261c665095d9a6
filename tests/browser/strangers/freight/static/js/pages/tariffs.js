import { http } from '../lib/http.js';
import { $, fill, money, row, toast } from '../lib/ui.js';

const NAMES = { HAM: 'Hamburg', BRE: 'Bremen' };

const tariffsFor = (depot) => http.get('/api/tariffs', { headers: { 'X-Depot': depot } });

async function choose(depot) {
  try {
    const { lanes } = await tariffsFor(depot);
    $('#title').textContent = `From ${NAMES[depot]}`;
    fill($('#tariffs'), lanes.map((lane) => row(lane.to, money(lane.small), money(lane.large))));
  } catch {
    toast('Tariffs could not be loaded.');
  }
}

$('#depots').addEventListener('click', (event) => {
  if (event.target.dataset.depot) choose(event.target.dataset.depot);
});

choose('HAM');
