import { $, say } from '/assets/lib/dom.js';
import { ScaleLink } from './link.js';

const unit = (() => {
  try {
    return JSON.parse(localStorage.getItem('orchard.unit')).name;
  } catch {
    return 'kg';
  }
})();

let readings = 0;
const link = new ScaleLink((reading) => {
  readings += 1;
  $('#kilos').textContent = `${reading.kilos} ${unit}`;
  say(`Scale in the ${reading.scale}, ${reading.steady ? 'steady' : 'moving'}, reading ${readings}`);
});
link.start();
addEventListener('pagehide', () => link.stop());
