export function suggester({ input, fetcher, onHits, wait = 180 }) {
  let timer, running, last = '';
  input.addEventListener('input', () => {
    const text = input.value.trim();
    if (text === last) return;
    last = text;
    clearTimeout(timer);
    running?.abort(new DOMException('superseded', 'AbortError'));
    if (text.length < 3) { onHits([], text); return; }
    timer = setTimeout(async () => {
      const mine = running = new AbortController();
      try {
        const hits = await fetcher(text, mine.signal);
        if (mine === running) onHits(hits, text);
      } catch (error) {
        if (error.name === 'AbortError') { console.info(`suggest: "${text}" superseded`); return; }
        console.error(error);
        onHits(null, text);
      }
    }, wait);
  });
}
