import { getJSON } from '/lib/http.js';
import { $ } from '/lib/dom.js';
const gifts = await getJSON('/api/donations');
gifts.forEach((g, i) => {
  const li = document.createElement('li'), b = document.createElement('button');
  li.textContent = `${g.day}: ${g.amount} EUR `;
  b.textContent = 'Receipt'; b.id = 'receipt' + i;
  b.onclick = async () => {
    try {
      const r = await getJSON(`/api/donations/${g.id}/receipt`);
      $('#receipt').textContent = r.number + ': ' + r.text;
    } catch (e) { $('#receipt').textContent = 'The receipt is not ready yet. Come back tomorrow.'; }
  };
  li.append(b);
  $('#gifts').append(li);
});
