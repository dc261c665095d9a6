import './petition-card.js';

customElements.define('petition-list', class extends HTMLElement {
  cursor = '';
  busy = false;
  connectedCallback() {
    this.end = this.appendChild(document.createElement('p'));
    this.end.className = 'muted';
    this.end.textContent = 'Loading…';
    this.seen = new Set();
    this.watch = new IntersectionObserver(([e]) => { if (e.isIntersecting) this.more(); }, { rootMargin: '100px' });
    this.watch.observe(this.end);
  }
  disconnectedCallback() { this.watch.disconnect(); }
  async more() {
    if (this.busy || this.cursor === null) return;
    this.busy = true;
    const { items, next } = await (await fetch(`/api/petitions?after=${this.cursor}`)).json();
    for (const item of items) {
      if (this.seen.has(item.id)) continue;
      this.seen.add(item.id);
      const card = document.createElement('petition-card');
      card.data = item;
      this.end.before(card);
    }
    this.cursor = next;
    this.busy = false;
    this.end.textContent = next === null ? `These are all ${this.seen.size} petitions.` : 'Scroll for more';
    if (next === null) this.watch.disconnect();
    else { this.watch.unobserve(this.end); this.watch.observe(this.end); }
  }
});
