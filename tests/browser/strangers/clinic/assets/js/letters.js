(function (Linden) {
  'use strict';
  const { http, $, esc, fill } = Linden;

  async function list() {
    const { items } = await http.get('/api/documents?kind=letter');
    fill('#list', items.map((d) => `<li><a href="#${d.id}" data-open="${d.id}">${esc(d.title)}</a></li>`).join(''));
  }

  async function open(id) {
    const response = await fetch(`/api/documents/${id}/content`);
    if (!response.ok) {
      Linden.toast('This letter cannot be shown.');
      return;
    }
    const letter = new DOMParser().parseFromString(await response.text(), 'text/html');
    $('#preview').replaceChildren(...letter.querySelector('main').childNodes);
  }

  $('#list').addEventListener('click', (event) => {
    const link = event.target.closest('[data-open]');
    if (!link) return;
    event.preventDefault();
    open(link.dataset.open);
  });

  list();
})(window.Linden);
