import { api } from '/js/core/api.js';
import { $ } from '/js/core/dom.js';
import { Chart } from './chart.js';

const EVERY = 250;
const chart = new Chart($('#sea'));

async function areas() {
  const said = await api.get('/traffic/areas');
  chart.areas(said.areas);
}

async function follow() {
  for (;;) {
    try {
      const { targets } = await api.get('/traffic');
      chart.ships(targets);
      $('#count').textContent = `${targets.length} ships in sight`;
    } catch (error) {
      console.warn('traffic', error);
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}

const compass = $('#compass');
compass.addEventListener('error', () => compass.remove());
compass.src = '/img/compass-large.png';

areas();
follow();
