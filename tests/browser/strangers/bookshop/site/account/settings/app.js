import { h, mount } from '/lib/petal.js';
import { createStore } from '/lib/store.js';
import { api } from '/lib/http.js';
import { session, startKeepAlive } from './session.js';

const store = createStore({ settings: null, note: '' });

async function load() {
  const { settings, csrfToken } = await api('/api/account/settings');
  session.csrf = csrfToken;
  store.set({ settings });
}

async function save(event) {
  event.preventDefault();
  const displayName = event.target.elements.displayName.value;
  const settings = { ...store.get().settings, displayName };
  try {
    await api('/api/account/settings', { method: 'PUT', json: settings, headers: { 'X-CSRF-Token': session.csrf } });
    store.set({ settings, note: 'Saved.' });
  } catch (err) {
    store.set({ settings, note: 'Your changes could not be saved.' });
  }
}

const Field = ({ label, name, value }) => h('label', null, label, ' ', h('input', { name, id: name, value }));

const View = ({ settings, note }) => settings
  ? h('form', { onSubmit: save },
    h(Field, { label: 'Display name', name: 'displayName', value: settings.displayName }),
    h('p', null, 'Language: ', settings.language),
    h('button', { id: 'save' }, 'Save changes'),
    h('p', { className: 'muted', id: 'note' }, note))
  : h('p', { className: 'muted' }, 'Loading...');

mount(document.querySelector('#app'), View, store);
load().then(startKeepAlive);
