class ZooEvents extends HTMLElement {
  async connectedCallback() {
    const rows = await (await fetch('/api/events/today')).json();
    this.innerHTML = rows.map((r) => `<p>${r.name}: <b data-id="${r.id}">time follows</b></p>`).join('');
    this.live = new EventSource('/api/events/live');
    this.live.onmessage = (m) => {
      const { id, at } = JSON.parse(m.data);
      this.querySelector(`[data-id="${id}"]`).textContent = at;
    };
    this.live.onerror = () => { /* the browser connects again by itself */ };
  }
  disconnectedCallback() { this.live?.close(); }
}
customElements.define('zoo-events', ZooEvents);
