const kept = new Map();

/** Answers are kept as long as the page is open: the log of a night that is over does not change. */
export function read(path, params = {}) {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value);
  const key = address.origin + address.pathname;
  if (!kept.has(key)) {
    const asked = fetch(address).then(response => {
      if (!response.ok) throw new Error(`${address.pathname} answered ${response.status}`);
      return response.json();
    });
    asked.catch(() => kept.delete(key));
    kept.set(key, asked);
  }
  return kept.get(key);
}

export const nights = () => read('/api/log/nights').then(data => data.nights);
export const entries = night => read('/api/log/entries', { night }).then(data => data.entries);
export const attachments = night => read('/api/log/attachments', { night });
