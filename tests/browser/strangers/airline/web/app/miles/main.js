import { http } from '/lib/http.js';
import { $, h, fill } from '/lib/dom.js';
import { partnersOf } from './partners.js';

const me = await http.get('/api/me');
const own = await http.get('/api/club/account');
$('#own').textContent = `${own.points} points with Sundvik Air`;

const partners = await partnersOf(me).balances();
const sum = partners.reduce((all, partner) => all + partner.points, 0);
$('#partner-sum').textContent = `${sum} points with partners`;
fill($('#partners'), partners.length
  ? partners.map((partner) => h('li', {}, `${partner.name}: ${partner.points}`))
  : h('li', { className: 'muted' }, 'You have not collected with a partner yet.'));
