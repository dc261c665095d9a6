import { loadSettings } from './settings.js';
import { Store } from './store.js';
import { panel } from './panels.js';
import { startLive } from './live.js';

const board = kit.$('#board');

function open(store, tab, layout) {
  const kinds = tab === 'overview' ? layout.panels : [tab];
  kit.fill(board, kinds.map((kind) => panel(store, kind)));
  telemetry.track('tab', tab);
}

function clock() {
  kit.$('#clock').textContent = new Date().toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' });
}

async function main() {
  const settings = await loadSettings();
  const store = new Store(settings);
  await store.warm();
  open(store, 'overview', settings.layout);
  kit.$('#tabs').addEventListener('click', (event) => {
    const { tab } = event.target.dataset;
    if (tab) open(store, tab, settings.layout);
  });
  startLive(kit.$('#live'));
  clock();
  setInterval(clock, 5000);
  console.info('[pulse] workspace %s', settings.workspace.name);
}

main();
