import { http } from '../lib/http.js';
import { MiniMap } from '../lib/minimap.js';
import { $, toast } from '../lib/ui.js';

const map = new MiniMap($('#map'));
$('#fit').addEventListener('click', () => map.fit());

http.get('/api/positions').then(({ positions }) => {
  $('#count').textContent = `${positions.length} vehicles`;
  map.setPins(positions);
}).catch(() => toast('Positions are not available.'));
