const pause = (ms) => new Promise((r) => setTimeout(r, ms));

async function* events(url, signal) {
  let since = 0, failures = 0;
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${url}?since=${since}`, { signal, cache: 'no-store' });
      if (answer.status === 204) { failures = 0; continue; }
      if (!answer.ok) throw new Error(`ticker: ${answer.status}`);
      const { last, entries } = await answer.json();
      failures = 0;
      since = last;
      yield* entries;
    } catch (error) {
      if (error.name === 'AbortError') return;
      failures++;
      console.warn(`${error.message} – next attempt in ${failures * 500} ms`);
      await pause(failures * 500);
    }
  }
}

export async function start(list, state) {
  const stop = new AbortController();
  addEventListener('pagehide', () => stop.abort());
  for await (const entry of events('/api/live/minutes', stop.signal)) {
    state.textContent = 'Live – new entries appear by themselves.';
    const li = document.createElement('li');
    li.textContent = `${entry.item}: ${entry.text}`;
    list.append(li);
    while (list.children.length > 50) list.firstChild.remove();
  }
}
