import { money } from '/lib/http.js';
import { ready } from './book.js';

const box = document.querySelector('#buy');

ready.then((book) => {
  box.innerHTML = `<p>${money(book.price)}</p><button>Add to cart</button>`;
});
