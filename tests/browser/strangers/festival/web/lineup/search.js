import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';

let latest = null;

async function search(term) {
  latest?.abort();
  const mine = latest = new AbortController();
  try {
    const { hits } = await getJson(`/api/lineup/search?q=${encodeURIComponent(term)}`, { signal: mine.signal });
    show(hits);
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
    console.debug('lineup: a newer search took over');
  }
}

function show(hits) {
  $('#hits').replaceChildren(...hits.map(hit => {
    const portrait = h('img', { src: `/api/lineup/portraits/${hit.name.replace(/\W+/g, '').toLowerCase()}.svg`, width: 40, height: 40, alt: '' });
    portrait.onerror = () => portrait.replaceWith(h('span', { className: 'muted' }, hit.name[0]));
    return h('li', {}, portrait, ` ${hit.name}, ${hit.stage} stage`);
  }));
  $('#count').textContent = `${hits.length} acts`;
}

$('#q').addEventListener('input', event => search(event.target.value.trim()));
addEventListener('pageshow', () => search($('#q').value.trim()));
search('');
