import { $, esc } from '/lib/dom.js';
import { getJson } from '/lib/net.js';
import { freePlaces } from './counters.js';

const { sites } = await getJson('/api/parking/sites');
const rows = await Promise.all(sites.map(async site => ({ ...site, free: await freePlaces(site) })));

$('#sites').innerHTML = rows.map(site => `<tr><td>${esc(site.name)}<td>${site.places} places<td>${
  site.free > 0 ? `${site.free} free` : '<b>full</b>'}`).join('');
