import { api, money } from '/lib/http.js';
import * as recent from './recent.js';

function renderRecent() {
  const list = recent.read();
  if (!list.length) return;
  document.querySelector('#recent').innerHTML = list.map((b) => `<li>${b.title}</li>`).join('');
}

const { books } = await api('/api/arrivals');
for (const book of books) {
  const li = document.createElement('li');
  li.innerHTML = `<button id="look-${book.id}">${book.title}</button> ${money(book.price)}`;
  li.firstChild.addEventListener('click', () => {
    recent.remember(book);
    renderRecent();
  });
  document.querySelector('#arrivals').append(li);
}
renderRecent();
