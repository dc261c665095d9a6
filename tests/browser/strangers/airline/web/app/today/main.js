import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import '/lib/pulse.js';

console.warn('today: the carousel of 2019 is switched off, using the list');
const { flights, news } = await http.get('/api/today');
fill($('#flights'), flights.map((flight) => h('tr', {}, h('td', {}, flight.at), h('td', {}, flight.no), h('td', {}, flight.to), h('td', {}, flight.gate))));
fill($('#news'), news.map((text) => h('li', {}, h('img', { src: '/img/news/deco.png', alt: '', width: 16, onerror: (event) => event.target.remove() }), text)));
import('http://127.0.0.1:@@NOBODY@@/tags/ads.js').catch(() => {});
