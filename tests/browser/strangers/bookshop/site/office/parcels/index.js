import { ParcelApi } from './parcel-api.js';

const detail = document.querySelector('#detail');
const client = new ParcelApi();

async function show(id) {
  detail.innerHTML = '<p class="muted">Loading...</p>';
  try {
    const parcel = await client.one(id);
    detail.innerHTML = `<h2>${parcel.to}</h2>` + parcel.scans.map((s) => `<p>${s.at} ${s.place}</p>`).join('');
  } catch (err) {
    console.error('parcel', err);
    detail.innerHTML = '<p class="error">This parcel was not found.</p>';
  }
}

for (const p of await client.all()) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.textContent = `Details for ${p.to}`;
  button.addEventListener('click', () => show(p.id));
  item.append(`${p.carrier}, ${p.state} `, button);
  document.querySelector('#parcels').append(item);
}
