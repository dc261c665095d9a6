import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { createPanel } from './panel.js';

async function showSwaps() {
  const { swaps } = await http.get('/api/crew/swaps');
  fill($('#swaps'), swaps.length ? swaps.map((swap) => h('li', {}, `${swap.flight}: waiting for a colleague`)) : h('li', { className: 'muted' }, 'You have no open requests.'));
}

const panel = createPanel({ onDone: showSwaps });
const { duties } = await http.get('/api/crew/duties');
fill($('#duties'), duties.map((duty) => h('li', {}, `${duty.day} ${duty.flight} `,
  h('button', { id: `swap-${duty.id}`, onclick: () => panel.open(duty) }, 'Swap'))));
showSwaps();
