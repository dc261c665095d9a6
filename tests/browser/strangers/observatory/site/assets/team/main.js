import { TokenClient } from './auth.js';

const client = new TokenClient();
const list = document.querySelector('#team');
let phones = {};

function draw(people) {
  list.replaceChildren(...people.map(person => {
    const card = document.createElement('article');
    card.className = 'card';
    card.innerHTML = '<h3></h3><p></p><p class="muted"></p>';
    const [name, post, phone] = card.children;
    name.textContent = person.name;
    post.textContent = person.post;
    phone.textContent = phones[person.name] ? `Extension ${phones[person.name]}` : '';
    return card;
  }));
}

async function directory() {
  const response = await fetch('http://127.0.0.1:@@PARTNER@@/directory/phones', { headers: { 'X-Client': 'team' } });
  phones = (await response.json()).phones;
}

async function refresh() {
  const { people } = await client.get('/api/team');
  draw(people);
}

await Promise.all([refresh(), directory().catch(error => console.warn('[team] no phones', error))]);
await refresh();
setTimeout(refresh, 1500);

const presence = new AbortController();
fetch('/api/recommendations', { signal: presence.signal }).catch(() => console.info('[team] presence is not asked for any more'));
setTimeout(() => presence.abort(), 400);
