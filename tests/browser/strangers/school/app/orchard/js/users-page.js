import { api } from '/assets/api.js';
import { createStore, h, mount, notify } from '/assets/view.js';

const store = createStore({ me: null, users: [] });

async function makeTeacher(user) {
  try {
    const answer = await api(`/users/${user.id}`, { method: 'PATCH', body: { role: 'teacher' } });
    store.set({ users: store.get().users.map((u) => (u.id === user.id ? answer.user : u)) });
    notify(`${user.name} is a teacher now`);
  } catch (error) {
    notify(`The role of ${user.name} could not be changed.`, 'error');
  }
}

function row(user) {
  return h('tr', {},
    h('td', {}, user.name), h('td', {}, user.email), h('td', {}, user.role),
    h('td', {}, user.role === 'student' && h('button', { 'data-user': user.id, onclick: () => makeTeacher(user) }, 'Make teacher')));
}

store.subscribe(({ users }) => mount('#users', h('table', {}, h('tbody', {}, users.map(row)))));

const { user } = await api('/session');
store.set({ me: user });
const { users } = await api('/users');
store.set({ users });
