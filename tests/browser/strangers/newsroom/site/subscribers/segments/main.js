import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { crm } from './crm.js';

http.get('/api/subscribers/summary').then((summary) => fill('#summary', Object.entries(summary).flatMap(([kind, count]) => [
  h('dt', {}, kind), h('dd', {}, count.toLocaleString('en'))])));

async function open(segment) {
  $('#chosen').textContent = segment.name;
  try {
    const members = await crm.members(segment.id);
    fill('#members', members.length ? members.map((one) => h('div', { className: 'card' }, one.name))
      : h('p', {}, 'Nobody is in this segment at the moment.'));
  } catch (error) {
    fill('#members', h('p', {}, `The segment could not be loaded: ${error.message}`));
  }
}
const { segments } = await http.get('/api/subscribers/segments');
fill('#segments', segments.map((one) => h('button', { id: `segment-${one.id}`, onclick: () => open(one) }, one.name)));
