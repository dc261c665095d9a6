import { http } from '../lib/http.js';
import { isPostcode, problems } from '../lib/validators.js';
import { $, fill, money, row, toast } from '../lib/ui.js';

const CHECKS = { to: isPostcode };
let usable = [];

function render(lanes) {
  const checked = lanes.map((lane) => ({ ...lane, missing: problems(lane, CHECKS) }));
  usable = checked.filter((lane) => lane.missing.length === 0);
  fill($('#lanes'), checked.map((lane) =>
    row(lane.id, lane.from, lane.to, lane.runs, lane.missing.length ? 'Postcode not recognised' : 'Ready')));
  $('#summary').textContent = `${usable.length} of ${lanes.length} lanes can be quoted.`;
}

$('#price').addEventListener('click', async () => {
  try {
    const { total } = await http.post('/api/lanes/price', { lanes: usable.map((lane) => lane.id) });
    $('#total').textContent = `${money(total)} per week`;
  } catch (error) {
    toast(error.message);
  }
});

http.get('/api/lanes').then(({ lanes }) => render(lanes), () => toast('The sheet could not be read.'));
