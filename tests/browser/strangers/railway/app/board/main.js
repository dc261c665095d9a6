import { $, esc } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { liveLine } from './line.js';

const { sections } = await getJson('/api/board/sections');
const trains = new Map();

function draw() {
  $('#board').innerHTML = `<table><tr><th>Section<th>Trains${sections.map(({ id, name }) => {
    const here = [...trains.values()].filter(train => train.section === id);
    return `<tr><td>${esc(name)}<td>${here.length ? here.map(train => esc(train.no)).join(', ') : '<span class="empty">clear</span>'}`;
  }).join('')}</table>`;
}

liveLine('/live/board', message => {
  trains.set(message.no, message);
  $('#asof').textContent = `As of ${message.at}`;
  draw();
});
draw();
