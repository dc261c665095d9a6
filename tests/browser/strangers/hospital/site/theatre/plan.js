import { getJSON } from '/lib/http.js';
import { h, mount } from '/lib/ui.js';
import { share, toMinutes } from './timegrid.js';

const root = document.getElementById('plan');

function bar(operation) {
  const node = h('div.bar', { title: operation.team }, `${operation.from} ${operation.what}`);
  Object.assign(node.style, share(toMinutes(operation.from), toMinutes(operation.to)));
  return node;
}

const { operations } = await getJSON(`/api/theatre/${root.dataset.day}`);
const rooms = Map.groupBy ? Map.groupBy(operations, (one) => one.room) : new Map([[1, operations]]);
mount(root, ...[...rooms].map(([room, list]) => h('section.room', null, h('h3', null, `Theatre ${room}`), h('div.lane', null, list.map(bar)))));
