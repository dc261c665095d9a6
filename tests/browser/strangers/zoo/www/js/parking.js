import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
$('#free').textContent = (await getJSON('/api/parking/free')).free + ' places are free';
try { $('#mine').textContent = (await getJSON('/api/parking/reservation')).place; }
catch (e) { if (e.status !== 404) throw e; $('#mine').textContent = 'You have not reserved a place. Just drive in.'; }
