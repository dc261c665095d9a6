import { h, $ } from '/lib/dom.js';
import { http } from '/lib/http.js';

let last = 0;
function add(entries) {
  for (const entry of entries) {
    last = Math.max(last, entry.id);
    $('#entries').prepend(h('li', { value: entry.id }, `${entry.at} ${entry.text}`));
  }
}
async function ask() {
  add((await http.get(`/api/ticker/council/entries?after=${last}`)).entries);
}
function poll() {
  $('#mode').textContent = 'Asked for every two seconds.';
  setInterval(ask, 2000);
}
await ask();
const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws/ticker/council`);
let opened = false;
socket.addEventListener('open', () => { opened = true; });
socket.addEventListener('message', ({ data }) => add([JSON.parse(data)]));
socket.addEventListener('close', () => {
  console.info(`ticker: ${opened ? 'connection ended' : 'no push'}, asking instead`);
  poll();
});
