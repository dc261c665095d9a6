const cache = new Map();
let ahead = null;

export async function page(n, sort) {
  const key = `${sort}/${n}`;
  ahead?.abort();
  if (!cache.has(key)) cache.set(key, await (await fetch(`/api/library/catalogue?page=${n}&sort=${sort}`)).json());
  const found = cache.get(key);
  if (n < found.pages) prefetch(n + 1, sort);
  return found;
}

function prefetch(n, sort) {
  const key = `${sort}/${n}`;
  if (cache.has(key)) return;
  ahead = new AbortController();
  fetch(`/api/library/catalogue?page=${n}&sort=${sort}&ahead=1`, { signal: ahead.signal, priority: 'low' })
    .then((a) => a.json())
    .then((data) => cache.set(key, data))
    .catch((error) => console.debug('prefetch given up:', error.name));
}
export const works = (editions) => [...Map.groupBy(editions, (e) => e.work).values()]
  .map((group) => ({ ...group.reduce((a, b) => (a.year > b.year ? a : b)), editions: group.length }));
