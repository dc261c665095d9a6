import { $, h, fill } from '/js/core/dom.js';
import { makeCabinet } from './cabinet.js';

const cabinet = makeCabinet();
let folder = 'all';

const line = (paper) => h('tr', {}, h('td', {}, paper.title), h('td', {}, `${paper.kb} kB`),
  h('td', {}, h('a', { href: `#paper-${paper.id}` }, 'Open')));

function draw() {
  fill($('#folders'), cabinet.folders().map((row) => h('button', { onclick: () => { folder = row.id; draw(); } }, row.label)));
  const papers = cabinet.within(folder);
  fill($('#papers'), papers.length ? papers.map(line) : h('tr', {}, h('td', { class: 'muted' }, 'There are no documents in your cabinet.')));
  $('#room').textContent = cabinet.room();
}

async function seal() {
  const answer = await fetch('/api/documents/seal');
  if (!answer.ok) console.warn(`cabinet: electronic seal is not set up (${answer.status}), signatures are shown as text`);
}

try {
  await cabinet.open();
} catch (error) {
  console.error('cabinet', error);
}
draw();
seal();
