import { getJSON } from '/lib/http.js';
import { h, mount, table } from '/lib/ui.js';
import { siteConfig } from './config.js';

const root = document.getElementById('formulary');

getJSON('/api/announcements').then(([first]) => { document.getElementById('news').textContent = first.text; });

siteConfig()
  .then(({ base }) => getJSON(`${base}/formulary`))
  .then(({ medicines }) => mount(root, medicines.length
    ? table(['Medicine', 'Group'], medicines.map((one) => [one.name, one.group]))
    : h('p', null, 'The formulary of your site has no medicines.')))
  .catch(() => mount(root, h('p.alarm', null, 'The formulary could not be loaded.')));
