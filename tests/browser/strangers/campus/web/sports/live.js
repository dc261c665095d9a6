class Live {
  #areas; #load = {}; #drops = 0;
  constructor(areas) { this.#areas = areas; }
  start() {
    const source = new EventSource('/api/sports/live');
    source.addEventListener('load', (e) => {
      for (const pair of e.data.split(' ')) { const [k, v] = pair.split('='); this.#load[k] = Number(v); }
      this.draw();
      document.querySelector('#fresh').textContent = `As of ${new Date().toLocaleTimeString('en-GB')}`;
    });
    source.onerror = () => {
      console.error('sports: stream ended', ++this.#drops, source.readyState === EventSource.CLOSED ? 'for today' : 'comes again');
      if (source.readyState === EventSource.CLOSED) this.#slower();
    };
  }
  #slower() {
    document.querySelector('#fresh').textContent += '. Counted every five minutes from now on.';
    setInterval(async () => {
      const answer = await fetch('/api/sports/count');
      if (!answer.ok) return;
      this.#load = await answer.json();
      this.draw();
      document.querySelector('#fresh').textContent = `As of ${new Date().toLocaleTimeString('en-GB')}. Counted every five minutes.`;
    }, 5 * 60e3);
  }
  draw() {
    const body = document.querySelector('#areas');
    body.replaceChildren();
    for (const [key, name] of Object.entries(this.#areas)) {
      const tr = body.insertRow();
      const n = this.#load[key];
      tr.insertCell().textContent = name;
      tr.insertCell().textContent = n === undefined ? 'not counted' : n === 255 ? 'closed for a tournament' : `${n} people`;
    }
  }
}
fetch('/api/sports/areas').then((r) => r.json()).then((areas) => { const live = new Live(areas); live.draw(); live.start(); });
