import { $ } from '/lib/dom.js';
async function patiently(url, tries = 5) {
  for (let i = 0; i < tries; i++) {
    const r = await fetch(url);
    if (r.ok) return r.json();
    console.warn(`${url}: ${r.status}, once more`);
    await new Promise((go) => setTimeout(go, 200 * (i + 1)));
  }
  throw new Error('gave up');
}
patiently('/api/penguins/count').then((d) => { $('#n').textContent = `${d.count} penguins are outside`; });
