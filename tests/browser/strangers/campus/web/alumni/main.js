import { $, el } from '/shared/ui.js';
import { ask } from '/shared/http.js';
import { translator } from './words.js';

const [people, tsv, words] = await Promise.all(['people', 'names', 'words'].map((p) => ask(`/api/alumni/${p}`)));
const names = new Map(tsv.trimEnd().split('\n').map((l) => l.split('\t')));
const t = translator(words);
const face = (id, name) => {
  const img = el('img', { src: `/alumni/faces/${id}.jpg`, width: 24, height: 24, alt: '' });
  img.onerror = () => img.replaceWith(el('b', { textContent: name.split(' ').map((w) => w[0]).join('') }));
  return img;
};
const agreed = people.filter(([, , , open]) => open);
$('#people').replaceChildren(...agreed.map(([id, year, subject]) => {
  const name = names.get(id) || 'A member who keeps the name private';
  return el('li', {}, names.get(id) ? face(id, name) : '', ` ${name}, ${t(subject)}, ${year}`);
}));
$('#sum').textContent = `${agreed.length} of ${people.length} members agreed to be listed.`;
