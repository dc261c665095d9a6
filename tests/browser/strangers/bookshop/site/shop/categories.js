const tabs = document.querySelectorAll('#tabs .tab');
const heading = document.getElementById('heading');
const list = document.getElementById('list');

function getBooks(category) {
  return fetch('/api/books?category=' + encodeURIComponent(category))
    .then(function (res) {
      if (!res.ok) throw new Error('books ' + res.status);
      return res.json();
    });
}

function renderList(books) {
  list.innerHTML = books.map((b) => '<article class="card">' + b.title + ' by ' + b.author + '</article>').join('');
}

function choose(category) {
  tabs.forEach((t) => t.setAttribute('aria-selected', String(t.dataset.category === category)));
  heading.textContent = category[0].toUpperCase() + category.slice(1);
  getBooks(category)
    .then((answer) => renderList(answer.books))
    .catch(() => { list.textContent = 'Books could not be loaded.'; });
}

tabs.forEach((t) => t.addEventListener('click', () => choose(t.dataset.category)));
choose('nature');
