import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { odds } from './odds.js';

const MOST = 5;
async function update() {
  const { minute, games } = await http.get('/api/sports/scores');
  $('#minute').textContent = `Minute ${minute}`;
  fill('#games', games.map(([home, guest, score]) => h('tr', {}, h('td', {}, home), h('td', {}, guest), h('td', {}, score))));
  $('#log').append(h('li', {}, `Minute ${minute}: no change`));
  while ($('#log').children.length > MOST) $('#log').firstElementChild.remove();
}
await update();
setInterval(update, 1500);
odds().then((box) => { $('#odds').textContent = box.text; }).catch((error) => {
  console.error('[partner]', error.message);
  $('#odds').hidden = true;
});
