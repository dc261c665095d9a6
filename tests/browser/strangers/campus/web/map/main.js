import { $, el, say } from '/shared/ui.js';
import { ask } from '/shared/http.js';

const GATE = 'the main gate';
navigator.geolocation.getCurrentPosition(() => { $('#where').textContent = 'Starting where you are.'; }, (e) => {
  console.warn('map: no position', e.code, e.message);
  $('#where').textContent = `Your place is not known; the way starts at ${GATE}.`;
}, { timeout: 800 });

const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
if (!gl) console.error('map: no WebGL, drawing plain tiles');
$('#tiles').style.cssText = 'display:grid;grid-template-columns:repeat(3,100px);background:#dfe7ee;width:300px';
for (let y = 0; y < 3; y++) for (let x = 0; x < 3; x++) {
  const tile = el('img', { width: 100, height: 100, alt: '' });
  tile.onerror = () => tile.replaceWith(el('span', { textContent: 'outside' }));   // no tile: not ours
  tile.src = `/api/map/tiles/${x}/${y}`;
  $('#tiles').append(tile);
}
$('#route').onclick = async () => {
  const graph = await ask('/api/map/graph');
  const worker = new Worker('/map/way.worker.js');
  worker.onmessage = ({ data }) => {
    if (data.part !== undefined) return say(`Looking for the shortest way… ${Math.round(data.part * 100)} %`);
    worker.terminate();
    say(`From ${GATE} to the library: ${Math.round(data.metres / 10) * 10} m, about ${Math.ceil(data.metres / 80)} minutes.`);
  };
  worker.postMessage(graph);
};
