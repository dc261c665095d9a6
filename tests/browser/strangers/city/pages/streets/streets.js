import { api } from '/lib/api.js';

const input = document.querySelector('#q');
const hits = document.querySelector('#hits');
let pending = null;

let district = '';

async function suggest() {
  pending?.abort();
  pending = new AbortController();
  const query = new URLSearchParams({ q: input.value.trim(), district });
  try {
    const { streets } = await api('/api/streets?' + query, { signal: pending.signal });
    hits.replaceChildren(...streets.map((s) => {
      const li = document.createElement('li');
      li.textContent = s;
      return li;
    }));
  } catch (err) {
    if (err.name !== 'AbortError') throw err;
  }
}

input.addEventListener('input', suggest);
suggest();

// who is known gets the streets of the own district first
api('/api/streets/district').then((r) => {
  district = r.district;
  suggest();
});
