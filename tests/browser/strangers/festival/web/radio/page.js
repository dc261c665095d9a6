import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';
import { Channel } from './channel.js';

const channel = new Channel('east');
channel.addEventListener('said', ({ data }) => {
  $('#quiet').hidden = true;
  $('#messages').append(h('li', {}, `${data.who}: ${data.text}`));
});
channel.open();

$('#talk').addEventListener('submit', event => {
  event.preventDefault();
  channel.say($('#text').value);
  $('#text').value = '';
});

getJson('/api/radio/channels').then(({ channels }) => {
  $('#channels').replaceChildren(...channels.map(one => h('li', {}, `${one.name} (${one.unread} unread)`)));
});
getJson('/api/radio/avatars').catch(() => console.info('radio: initials instead of portraits'));
