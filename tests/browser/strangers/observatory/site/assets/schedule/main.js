import { ScheduleStore } from './store.js';
import { blocksOf, moonOf, summaryOf } from './client.js';
import { render } from './view.js';

const root = document.querySelector('main');
const store = new ScheduleStore();
store.on('change', () => render(root, store));

async function open(night) {
  store.patch({ night, loading: true });
  moonOf(night).then(moon => store.patch({ moon }), error => console.warn('moon', error));
  const [summary, blocks] = await Promise.all([summaryOf(night), blocksOf(night)]);
  store.patch({ summary, blocks, loading: false });
  window.obsTelemetry?.track('schedule', { shown: blocks.length });
}

root.querySelector('#observer').addEventListener('change', event => store.patch({ observer: event.target.value }));
if (!('ViewTimeline' in window)) console.info('[schedule] plain scrolling');
console.warn('[schedule] "printLayout" is deprecated, use the print stylesheet');
open(root.dataset.night).catch(error => {
  store.patch({ loading: false });
  root.querySelector('#head').textContent = 'The schedule cannot be shown right now';
  console.error(error);
});
