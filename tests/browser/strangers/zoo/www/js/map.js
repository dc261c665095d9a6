import { getJSON } from '/lib/http.js';
import { $, fill } from '/lib/dom.js';
const plan = 'http://127.0.0.1:@@SITE@@/plan/';
const layer = (name) => getJSON(plan + name + '.json').catch(() => []);
const [legend, paths, enclosures] = await Promise.all([getJSON('/api/map/legend'), layer('paths'), layer('enclosures')]);
fill($('#legend'), legend);
fill($('#paths'), paths);
fill($('#enclosures'), enclosures.length ? enclosures : ['Nothing to show in this part of the zoo']);
