import { signIn, household, claims } from './client.js';

const box = document.querySelector('#claims');

async function start() {
  await signIn();
  const home = await household();
  const answer = await claims(home.id);
  box.replaceChildren(...answer.claims.map((c) => {
    const p = document.createElement('p');
    p.textContent = `${c.title}: ${c.state}`;
    return p;
  }));
}

start().catch((err) => {
  console.error('benefits: could not show claims', err);
  box.innerHTML = '<p class="alert">Your household has no claims on file. Please visit an office.</p>';
});
