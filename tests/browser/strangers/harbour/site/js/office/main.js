import { $ } from '/js/core/dom.js';
import { mount } from './hooks.js';
import { Alerts, Occupancy, Revenue } from './tiles.js';

const year = new Date().getFullYear();

mount(Occupancy, $('#tile-occupancy'), { season: { start: `${year}-05-01`, end: `${year}-09-30` } });
mount(Revenue, $('#tile-revenue'));
mount(Alerts, $('#tile-alerts'));

let beats = 0;
setInterval(async () => {
  beats += 1;
  const answer = await fetch(`/api/me?beat=${beats}`);
  $('#session').textContent = answer.ok ? `Signed in, checked ${beats} times` : 'Signed out';
}, 2500);

fetch('/api/office/broadcast').then((answer) => {
  if (!answer.ok) console.warn(`office: no broadcast today (${answer.status})`);
});
