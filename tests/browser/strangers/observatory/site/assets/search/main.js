class LiveSearch {
  #abort = null;
  #timer = 0;
  constructor(field, list, note) {
    Object.assign(this, { field, list, note });
    this.recent = this.#recent();
    field.addEventListener('input', () => {
      clearTimeout(this.#timer);
      const text = field.value.trim();
      if (text.length > 3) this.find(text.slice(0, 3));
      this.#timer = setTimeout(() => this.find(text), 90);
    });
  }

  #recent() {
    try {
      return JSON.parse(sessionStorage.getItem('recent') ?? '[]');
    } catch {
      return [];
    }
  }

  async find(text) {
    this.#abort?.abort();
    if (!text) return this.show({ q: '', hits: [] });
    const abort = this.#abort = new AbortController();
    try {
      const response = await fetch('/api/search?q=' + encodeURIComponent(text), { signal: abort.signal });
      const data = await response.json();
      if (abort === this.#abort) this.show(data);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.note.textContent = 'Searching does not work right now';
      console.error(error);
    }
  }

  show({ q, hits }) {
    this.list.replaceChildren(...hits.map(hit => Object.assign(document.createElement('li'), { textContent: hit })));
    this.note.textContent = q ? `${hits.length} found for “${q}”` : '';
    if (q) sessionStorage.setItem('recent', JSON.stringify([q, ...this.recent].slice(0, 5)));
  }
}

const search = new LiveSearch(document.querySelector('#q'), document.querySelector('#hits'), document.querySelector('#note'));
search.field.focus();

fetch('/api/search/trending').then(r => { if (!r.ok) console.warn('[search] trending is off (' + r.status + ')'); });
if (!window.SpeechRecognition) console.info('[search] no voice input in this browser');
