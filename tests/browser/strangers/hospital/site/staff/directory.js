const field = document.querySelector('#name');
const list = document.querySelector('#people');
let running = null;

let later = 0;

async function find(text) {
  running?.abort();
  const mine = running = new AbortController();
  try {
    const answer = await fetch(`/api/staff?q=${encodeURIComponent(text)}`, { signal: mine.signal });
    const people = await answer.json();
    list.replaceChildren(...people.map((one) => {
      const item = document.createElement('li');
      item.innerHTML = `<img alt="" width="24" height="24" src="/portraits/${one.phone}.jpg"> `;
      item.querySelector('img').onerror = ({ target }) => target.remove();
      item.append(`${one.name}, ${one.role}, phone ${one.phone}`);
      return item;
    }));
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
    console.debug('an earlier search was given up');
  }
}

field.addEventListener('input', () => {
  clearTimeout(later);
  find(field.value.slice(0, 1)); // everybody of that letter, until it is typed to the end
  later = setTimeout(() => find(field.value), 120);
});

// the house's map of phones is optional
fetch('http://127.0.0.1:@@FINANCE@@/phones').catch((error) => console.error('phones map:', error.message));
