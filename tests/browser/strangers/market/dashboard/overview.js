import { getJson } from '/lib/http.js';
import { $ } from '/lib/ui.js';
import { count } from '/lib/metrics.js';
import { Tiles } from './tiles.js';

const PARTS = ['sales', 'stock', 'ratings', 'insights'];
const tiles = new Tiles();

async function load() {
  const bodies = await Promise.all(PARTS.map((part) => getJson(`/api/dash/${part}`)));
  tiles.fill(Object.fromEntries(PARTS.map((part, place) => [part, bodies[place]])));
}

load().catch(() => count('overview.skipped')).finally(() => { $('#note').textContent = 'Updated just now'; });
