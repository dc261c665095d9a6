import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Board } from './board.js';

async function people() {
  const { staff } = await http.get('/api/desk/staff');
  fill('#people', staff.map((one) => h('img', { src: one.picture, alt: one.name, width: 32, height: 32 })));
}
async function start() {
  const board = new Board($('#board')).prepare();
  const [edition, { stories }] = await Promise.all([http.get('/api/desk/edition'), http.get('/api/desk/stories')]);
  $('#edition').textContent = `${edition.name} · closes ${edition.closes}`;
  const shown = (await board).show(stories);
  $('#sum').textContent = `${shown} stories on the board`;
}
people();
start();
