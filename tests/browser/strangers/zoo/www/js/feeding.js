import { getJSON } from '/lib/http.js';
import { $, fill } from '/lib/dom.js';
function pager(url) {
  const rows = [];
  let page = 1, total = 0;
  return {
    rows, get total() { return total; },
    async more() {
      const data = await getJSON(`${url}?page=${page}`);
      total = data.total;
      page = data.page;
      rows.push(...data.items);
    },
  };
}
const plan = pager('/api/feeding');
async function more() {
  await plan.more();
  fill($('#plan'), plan.rows);
  $('#shown').textContent = `${plan.rows.length} of ${plan.total}`;
  $('#more').hidden = plan.rows.length >= plan.total;
}
$('#more').addEventListener('click', more);
more();
