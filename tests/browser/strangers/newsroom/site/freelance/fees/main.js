import { h, $, fill } from '/lib/dom.js';
import { http } from '/lib/http.js';
import { Session } from './session.js';

const session = new Session();
http.get('/api/freelance/notice').then(({ text }) => { $('#notice').textContent = text; });
const response = await session.fetch('/api/freelance/fees');
if (response.status === 403) {
  fill('#fees', h('p', { className: 'card' }, 'Your role does not allow you to see fees. Ask the managing editor.'));
} else {
  const { fees } = await response.json();
  fill('#fees', fees.map((fee) => h('div', { className: 'card' }, fee.title)));
}
