import { getJSON } from '/lib/http.js';
import { h, mount, table } from '/lib/ui.js';
import { saveView, savedView } from './views.js';

const root = document.getElementById('cases');

async function board() {
  const cases = await getJSON('/api/infection/cases');
  const view = savedView();
  const draw = () => {
    const sorted = [...cases].sort((a, b) => (a[view.sort] > b[view.sort] ? 1 : -1));
    mount(root, table(['Germ', 'Ward', 'Room', 'Days'], sorted.map((one) => [one.germ, one.ward, one.room, one.days])));
  };
  draw();
  document.getElementById('by-ward').onclick = () => {
    view.sort = 'ward';
    draw();
  };
  document.getElementById('keep').onclick = () => {
    saveView(view);
    document.getElementById('said').textContent = 'View kept.';
  };
}

board();
