import { api, money } from '/lib/http.js';

const form = document.querySelector('#checkout');
const steps = [...form.querySelectorAll('fieldset')];
const company = form.querySelector('#company');

function goTo(n) {
  for (const s of steps) s.classList.toggle('hidden', Number(s.dataset.step) !== n);
}

form.elements.business.addEventListener('change', (e) => {
  company.classList.toggle('hidden', !e.target.checked);
});

for (const b of form.querySelectorAll('.next')) {
  b.addEventListener('click', () => goTo(Number(b.closest('fieldset').dataset.step) + 1));
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const data = Object.fromEntries(new FormData(form));
  const { number } = await api('/api/checkout/orders', { method: 'POST', json: data });
  document.querySelector('#outcome').textContent = `Thank you. Your order is ${number}.`;
});

const options = await api('/api/shipping/options');
document.querySelector('#options').innerHTML = options.map((o, i) =>
  `<label><input type="radio" name="shipping" value="${o.code}" ${i ? '' : 'checked'}> ${o.label}, ${money(o.price)}</label>`).join('');
