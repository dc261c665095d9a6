import { h, $, fill } from '/lib/dom.js';
import { query } from './graph.js';

async function viewer() {
  const { viewer } = await query('Viewer', 'query Viewer { viewer { id name canModerate } }');
  $('#viewer').textContent = `Signed in as ${viewer.name}`;
  return viewer;
}
async function stats() {
  const { stats } = await query('ModerationStats', 'query ModerationStats { stats { today hidden waiting } }');
  $('#stats').textContent = `${stats.today} comments today, ${stats.hidden} hidden`;
}
async function queue(first) {
  const { queue } = await query('ModerationQueue', 'query ModerationQueue($first: Int) { queue(first: $first) { nodes { id text } } }', { first });
  const nodes = queue?.nodes ?? [];
  fill('#queue', nodes.length ? nodes.map((one) => h('div', { className: 'card' }, one.text))
    : h('p', { className: 'card' }, 'All done! No comment waits for you.'));
}
const me = await viewer();
stats();
if (me.canModerate) await queue(20);
