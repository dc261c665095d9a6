import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';

const tally = new Worker('/cups/tally.js');
tally.onmessage = ({ data }) => { $('#tally').textContent = `${data.out} out, ${data.back} back`; };

const bars = (await Promise.allSettled(Array.from({ length: 18 }, (_, n) => getJson(`/api/cups/bars/${n + 1}`))))
  .flatMap(result => result.status === 'fulfilled' ? [result.value] : []);
$('#bars').replaceChildren(...bars.map(bar => h('tr', {}, h('td', {}, `Bar ${bar.bar}`), h('td', {}, String(bar.out)), h('td', {}, String(bar.back)))));
tally.postMessage(bars);

getJson('/api/cups/summary').then(({ note, deposit }) => { $('#summary').textContent = `${note}. Deposit ${deposit} €.`; });

(async function changes() {
  for (;;) {
    const answer = await fetch('/api/cups/changes', { cache: 'no-store' });
    if (answer.status === 200) location.reload();
    if (!answer.ok) return;
  }
})();
