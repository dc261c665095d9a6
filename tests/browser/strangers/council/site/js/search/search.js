const Search = (() => {
  const el = (id) => document.getElementById(id);
  let control = null, sequence = 0;

  const line = (hit) => {
    const li = document.createElement('li');
    const a = Object.assign(document.createElement('a'), { href: hit.url, textContent: hit.title });
    li.append(a, ` – ${hit.summary || 'No summary'}`);
    return li;
  };

  const json = async (url, signal) => {
    const answer = await fetch(url, { signal });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${answer.status} ${url}`);
    return answer.json();
  };

  // what the first hit would be, while somebody types; a search takes its place
  async function preview(text) {
    control?.abort();
    control = new AbortController();
    try {
      const found = await json(`/api/search/preview?q=${encodeURIComponent(text)}`, control.signal);
      if (found) el('state').textContent = `Best match: ${found.best.title}`;
    } catch (error) {
      console.info(`preview of "${text}": ${error.name}`);
    }
  }

  async function run(text) {
    control?.abort();
    control = new AbortController();
    const { signal } = control, mine = ++sequence;
    el('state').textContent = 'Searching…';
    try {
      const [page, spelling] = await Promise.all([
        json(`/api/search?q=${encodeURIComponent(text)}`, signal),
        json(`/api/search/spelling/${encodeURIComponent(text)}`, signal),
      ]);
      if (mine !== sequence) return;
      const seen = new Set();
      const add = (hits) => hits.filter((h) => !seen.has(h.url) && seen.add(h.url)).map(line);
      el('results').replaceChildren(...add(page.hits));
      el('suggest').textContent = spelling ? `Did you mean ${spelling.text}?` : '';
      if (!page.complete) {
        el('state').textContent = 'More results are on their way…';
        const rest = await json(`/api/search/rest?cursor=${page.cursor}`, signal);
        el('results').append(...add(rest.hits));
      }
      el('state').textContent = `${seen.size} pages about “${text}”`;
    } catch (error) {
      if (error.name === 'AbortError') return console.info(`search for "${text}" given up`);
      console.error(error);
      el('state').textContent = 'The search does not answer. Please try again.';
    }
  }

  el('f').addEventListener('submit', (e) => { e.preventDefault(); run(el('q').value.trim()); });
  el('q').addEventListener('input', (e) => { if (e.target.value.trim().length > 3) preview(e.target.value.trim()); });
  el('q').addEventListener('change', (e) => run(e.target.value.trim()));
  later(() => el('q').focus());
  return { run };
})();
