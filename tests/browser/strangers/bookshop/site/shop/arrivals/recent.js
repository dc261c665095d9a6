const KEY = 'qh.recent';
const MAX = 5;

export function read() {
  const raw = localStorage.getItem(KEY);
  return raw ? JSON.parse(raw) : [];
}

export function remember(book) {
  const rest = read().filter((b) => b.id !== book.id);
  const list = [{ id: book.id, title: book.title }, ...rest].slice(0, MAX);
  localStorage.setItem(KEY, list);
}
