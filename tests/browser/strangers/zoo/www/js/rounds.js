import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
const KEY = 'zoo.round';
class Round {
  constructor(stations) { this.stations = stations; this.done = {}; }
  tick(name) { this.done[name] = new Date().toISOString(); this.keep(); }
  keep() { localStorage.setItem(KEY, this.done); }
  restore() {
    try {
      const kept = localStorage.getItem(KEY);
      if (kept) this.done = JSON.parse(kept);
    } catch { this.done = {}; }
  }
}
const round = new Round(await getJSON('/api/rounds/stations'));
round.restore();
function draw() {
  $('#stations').replaceChildren(...round.stations.map((name, i) => {
    const li = document.createElement('li');
    li.append(name + ' ');
    if (round.done[name]) li.append('✓ done');
    else {
      const b = document.createElement('button');
      b.id = 'tick' + i; b.textContent = 'Done';
      b.onclick = () => { round.tick(name); draw(); };
      li.append(b);
    }
    return li;
  }));
  $('#state').textContent = `${Object.keys(round.done).length} of ${round.stations.length} stations done`;
}
draw();
