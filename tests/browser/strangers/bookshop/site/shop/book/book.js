import { api } from '/lib/http.js';

const book = window.QH.book;

export const ready = present(book);

async function present(b) {
  const root = document.querySelector('#book');
  root.innerHTML = `<h1>${b.title}</h1><p>${b.author}</p><p class="muted">ISBN ${b.isbn}</p>`;
  const reviews = await api(`/api/books/${b.isbn}/reviews`);
  document.querySelector('#reviews').innerHTML = reviews.map((r) => `<p>${'*'.repeat(r.stars)} ${r.text} (${r.by})</p>`).join('');
  return b;
}
