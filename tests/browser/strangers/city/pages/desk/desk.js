import { Channel } from './channel.js';

const status = document.querySelector('#status');
const channel = new Channel('/api/desk/socket');

channel.addEventListener('packet', ({ detail }) => {
  if (detail.type === 'welcome') status.textContent = `${detail.agent} is here for you.`;
});
channel.addEventListener('retry', ({ detail }) => {
  status.textContent = `All desks are busy, attempt ${detail}…`;
});
channel.open();
