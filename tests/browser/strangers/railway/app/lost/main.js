import { bus } from '/lib/bus.js';
import { $, h } from '/lib/dom.js';
import { getJson, postJson } from '/lib/net.js';
import { check } from './rules.js';

const form = $('#report');

form.addEventListener('submit', event => {
  event.preventDefault();
  bus.emit('report:asked', Object.fromEntries(new FormData(form)));
});

bus.on('report:asked', values => {
  const remarks = check(values);
  bus.emit('report:remarks', remarks);
  if (remarks.size === 0) bus.emit('report:ready', values);
});

bus.on('report:remarks', remarks => {
  for (const place of form.querySelectorAll('[data-for]')) place.textContent = remarks.get(place.dataset.for) ?? '';
});

bus.on('report:ready', async values => {
  $('#send').disabled = true;
  const { number } = await postJson('/api/lost/reports', values);
  $('#thanks').textContent = `Thank you. Your report has the number ${number}.`;
  $('#thanks').hidden = false;
});

const { kinds } = await getJson('/api/lost/kinds');
$('#kind').append(...kinds.map(kind => h('option', {}, kind)));
