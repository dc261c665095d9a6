import { getJson } from '/lib/http.js';
import { $, el } from '/lib/ui.js';
import { count } from '/lib/metrics.js';
import { renderer } from './render.js';

async function show() {
  $('#card').textContent = 'Rendering the preview…';
  const listing = await getJson('/api/listings/812/preview');
  const card = await renderer()(listing);
  $('#card').replaceChildren(el('h3', {}, card.title), el('p', {}, card.text), el('strong', {}, `${card.price} €`));
}

$('#again').addEventListener('click', () => show().catch(() => count('preview.again')));
show().catch(() => count('preview.later'));
