import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { Board } from './board.js';

new Board($('#rows')).load('BGO');
const weather = await http.get('/api/board/weather');
fill($('#weather'), h('img', { src: weather.icon, alt: '', width: 24 }), ` ${weather.temp} degrees, wind ${weather.wind}`);
