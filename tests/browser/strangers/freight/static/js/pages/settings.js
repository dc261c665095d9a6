import { $ } from '../lib/ui.js';

const session = JSON.parse($('#session').textContent);
let renewing = null;

function renew() {
  renewing ??= fetch('/api/settings/token', { method: 'POST', body: session.refresh })
    .then((response) => response.json())
    .then(({ access }) => { session.access = access; })
    .finally(() => { renewing = null; });
  return renewing;
}

async function call(method, body) {
  const go = () => fetch('/api/settings', { method, body: body && JSON.stringify(body), headers: { Authorization: `Bearer ${session.access}` } });
  let response = await go();
  if (response.status === 401) {
    await renew();
    response = await go();
  }
  return response.json();
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem('bo.settings'));
  } catch (error) {
    console.info('settings of an older version are dropped:', error.message);
    localStorage.removeItem('bo.settings');
    return null;
  }
}

function show(settings) {
  $('#mail').checked = settings.mail;
  $('#sms').checked = settings.sms;
}

const early = remembered();
if (early) show(early);
const [settings] = await Promise.all([call('GET'), call('GET')]);
show(settings);
$('#state').textContent = '';

$('#save').addEventListener('click', async () => {
  const saved = await call('PUT', { mail: $('#mail').checked, sms: $('#sms').checked });
  localStorage.setItem('bo.settings', JSON.stringify(saved));
  $('#state').textContent = 'Your settings are saved.';
});
