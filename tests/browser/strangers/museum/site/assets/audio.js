import { $, h, fill } from './lib/dom.js';
import { get } from './lib/http.js';
import { keep, recall, forget } from './lib/storage.js';

let stops = [];

async function take() {
  let done = 0;
  for (const { n } of stops) {
    const stop = await get(`/museum/api/audio/stops/${n}`);
    keep(`audio:${n}`, stop);
    done += 1;
    $('#progress').textContent = `${done} of ${stops.length} stops are with you`;
  }
  $('#take').disabled = true;
}

function play(n) {
  const stop = recall(`audio:${n}`);
  $('#player').hidden = false;
  if (!stop) return fill('#player', `Stop ${n} is not part of your guide.`);
  return fill('#player', h('p', {}, stop.text), h('button', {}, '▶ Listen'));
}

async function begin() {
  forget('audio:');
  stops = await get('/museum/api/audio/stops');
  fill('#stops', stops.map(({ n, title }) => h('li', {}, h('button', { 'data-stop': n, onclick: () => play(n) }, title))));
  $('#take').addEventListener('click', take);
}

begin();
