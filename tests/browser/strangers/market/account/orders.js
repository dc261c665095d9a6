import { getJson } from '/lib/http.js';
import { $, list } from '/lib/ui.js';
import { count } from '/lib/metrics.js';
import { resume } from './session.js';

const me = await resume();
$('#hello').textContent = `Hello ${me.user}, with us since ${me.member}`;

const orders = await getJson('/api/orders').then((body) => body.orders, () => { count('orders.none'); return []; });
list($('#orders'), orders, (order) => `${order.id}: ${order.name}`, 'You have no orders yet.');
