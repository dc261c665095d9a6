'use strict';
const cook = document.querySelector('#cook');
cook.addEventListener('error', function put() {
  cook.removeEventListener('error', put);
  cook.src = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" rx="6" fill="#e3c38b"/></svg>');
});
if (cook.complete && !cook.naturalWidth) cook.dispatchEvent(new Event('error'));
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/canteen/sw.js').catch((e) => console.info('no shelf', e));

const TENTHOUSANDTHS = 10000;
const euro = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });
// [dish, marks, guests, students]
const line = ([dish, marks, , students]) => {
  const li = document.createElement('li');
  li.textContent = `${dish} (${[...marks].join(', ')}) – ${euro.format(students / TENTHOUSANDTHS)}`;
  return li;
};
(async () => {
  const today = await (await fetch('/api/canteen/today')).json();
  const place = document.querySelector('#today');
  if (today.length) place.replaceChildren(...today.map(line));
  else {
    const hours = await (await fetch('/api/canteen/hours')).json();
    place.textContent = hours.closed ? `The canteen is closed today (${hours.why}).` : 'The menu of today is not written yet. Come back at nine.';
  }
  const next = await (await fetch('/api/canteen/next')).json();
  document.querySelector('#next').textContent = next.day;
  document.querySelector('#dishes').replaceChildren(...next.rows.map(line));
})();
