const view = {
  form: document.querySelector('#sign-in'),
  account: document.querySelector('#account'),
  note: document.querySelector('#note'),
};

function showForm(text) {
  view.form.hidden = false;
  view.account.hidden = true;
  view.note.textContent = text;
}

async function showAccount() {
  view.note.textContent = '';
  const profile = await Session.call('/api/account/profile');
  view.form.hidden = true;
  view.account.hidden = false;
  view.account.querySelector('h2').textContent = `Welcome, ${profile.name}`;
  view.account.querySelector('p').textContent = `${profile.bookings} bookings`;
}

Session.on(what => {
  if (what === 'ended') showForm('Your session has ended. Please sign in again.');
});

view.form.addEventListener('submit', async event => {
  event.preventDefault();
  const { user, secret } = view.form.elements;
  view.note.textContent = 'Signing in';
  try {
    await Session.signIn(user.value, secret.value);
    await showAccount();
  } catch (error) {
    if (error.message !== 'unauthenticated') view.note.textContent = 'Signing in did not work.';
  }
});

Session.methods().then(({ methods }) => {
  view.form.querySelector('button').disabled = !methods.includes('password');
});
fetch('/api/notices').then(r => r.json()).then(({ notices }) => {
  document.querySelector('#notices').textContent = notices.join(' ');
});
fetch('/api/account/badges').then(r => { if (!r.ok) console.warn('[account] badges are off'); });
showForm('');
