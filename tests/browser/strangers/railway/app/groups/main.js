import { $, h } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { lazy } from './lazy.js';

const { line } = await lazy('invoice');
const { offers } = await getJson('/api/groups/offers');
$('#offers').append(...offers.map(offer => h('li', {}, line(offer))));

$('#day').addEventListener('click', async () => {
  const calendar = await lazy('calendar');
  calendar.mount?.($('#calendar'));
});
