import { api } from '/assets/core/api.js';
import { $ } from '/assets/core/html.js';

// An access token lives ten minutes; the first answer of 401 renews it.
async function signedIn(path) {
  try {
    return await api.get(path);
  } catch (error) {
    if (error.status !== 401) throw error;
    await api.post('/api/session/renew', {});
    return api.get(path);
  }
}

const ahead = new AbortController();
api.get('/api/news', { signal: ahead.signal }).then(({ items }) => { $('#news').textContent = items[0]; }, () => {});

$('#logo').addEventListener('error', (event) => event.target.remove());

async function weather() {
  const response = await fetch('/api/widgets/weather');
  if (response.ok) $('#next').textContent = (await response.json()).text;
}

$('#go-on').addEventListener('click', async () => {
  ahead.abort();
  const { items } = await api.get('/api/tasks');
  $('#next').textContent = `First: ${items[0]}`;
});

weather();
const me = await signedIn('/api/me');
$('#hello').textContent = `${me.name}, ${me.role}: ${me.today} appointments today, ${me.open} open tasks`;
