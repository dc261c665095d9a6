import { keep } from './keep.js';
import { html, mount, $ } from '/lib/view.js';

async function channel(mail) {
  try {
    if (!('PushManager' in window)) throw new Error('no push here');
    const state = await navigator.permissions.query({ name: 'push', userVisibleOnly: true });
    if (state.state !== 'granted') throw new Error(`push is ${state.state}`);
    const registration = await navigator.serviceWorker.ready;
    await registration.pushManager.subscribe({ userVisibleOnly: true });
    return html`You are notified on this device.`;
  } catch (error) {
    console.warn('push:', error.message);
    return html`You are notified by e-mail to <b>${mail}</b>.`;
  }
}

async function districts() {
  const kept = keep.get('districts');
  if (kept) return kept;
  const all = await (await fetch('/api/districts?geometry=full')).json();
  keep.set('districts', all);
  return all;
}

const [prefs, areas] = await Promise.all([fetch('/api/notifications/preferences').then((a) => a.json()), districts()]);
let draft = new Set(prefs.topics);
mount('#channel', await channel(prefs.mail));

const draw = () => {
  const changed = [...draft].sort().join() !== [...prefs.topics].sort().join();
  mount('#topics', [...prefs.available.map((t) => [t, t]), ...areas.map((a) => [`area:${a.code}`, `Roadworks in ${a.name}`])]
    .map(([key, label]) => html`<div><button class="topic" id="t-${key.replace(':', '-')}" data-key="${key}" aria-pressed="${draft.has(key)}">${label}</button></div>`));
  $('#save').disabled = !changed;
};
$('#topics').addEventListener('click', ({ target: { dataset: { key } } }) => {
  if (!key) return;
  draft.has(key) ? draft.delete(key) : draft.add(key);
  $('#state').textContent = '';
  draw();
});
$('#save').addEventListener('click', async () => {
  const answer = await fetch('/api/notifications/preferences', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ topics: [...draft] }) });
  if (answer.ok) prefs.topics = [...draft];
  $('#state').textContent = answer.ok ? 'Saved.' : 'Could not be saved, please try again.';
  draw();
});
draw();
