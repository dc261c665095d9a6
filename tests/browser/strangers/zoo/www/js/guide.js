import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
const stops = await getJSON('/api/guide/stops');
const byId = new Map(stops.map((s) => [String(s.id), s]));
$('#go').addEventListener('click', () => { $('#welcome').hidden = true; });
$('#stops').innerHTML = stops.map((s) =>
  `<button class="stop" id="stop${s.id}" data-stop="${s.id}"><span class="big">♪ ${s.name}</span></button>`).join('');
$('#stops').addEventListener('click', (e) => {
  if (!e.target.matches('.stop')) return;
  $('#text').textContent = byId.get(e.target.dataset.stop).text;
});
