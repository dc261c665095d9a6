import { $, h } from '/lib/dom.js';
import { getJson, patiently } from '/lib/net.js';
import { desk, askDesk, freeAdvisers } from './desk.js';

desk.subscribe(state => {
  if (!state.asked) return;
  const free = freeAdvisers(state);
  $('#start').disabled = free.length === 0;
  $('#state').textContent = !state.open ? 'The chat is open from 6:00 to 22:00.'
    : free.length ? `${free.length} advisers are free.`
      : 'All our advisers are in a conversation. Please come back later.';
});

getJson('/api/chat/topics').then(({ topics }) => $('#topic').append(...topics.map(t => h('option', {}, t))));
patiently('/api/notices').then(({ notices }) => console.info('[notices]', notices.length));
askDesk();
