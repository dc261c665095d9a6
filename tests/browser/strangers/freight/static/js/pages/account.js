import { call, onSignedOut } from '../lib/auth.js';
import { $, el, fill } from '../lib/ui.js';

const PARTS = {
  profile: (p) => `${p.name}, ${p.town}`,
  fleet: (f) => `${f.vehicles} vehicles, ${f.trailers} trailers`,
  credit: (c) => `${c.open} EUR of ${c.limit} EUR used`,
};

onSignedOut(() => {
  fill($('#account'), [el('p', { class: 'card' }, 'Your session has ended. Please sign in again. ', el('a', { href: '/account' }, 'Sign in'))]);
});

for (const [part, text] of Object.entries(PARTS)) {
  call(`/api/account/${part}`).then(
    (data) => { const box = document.getElementById(part); if (box) box.textContent = text(data); },
    () => { /* shown by onSignedOut */ },
  );
}
