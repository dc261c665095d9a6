const LIVE = document.querySelector('meta[name="live-service"]').content;

export class DepartureSource {
  #seen = new Map();
  #misses = 0;

  async upcoming(lines) {
    const url = `${LIVE}/v2/departures?lines=${lines.join(',')}`;
    try {
      const answer = await fetch(url, { cache: 'no-store' });
      const { departures } = await answer.json();
      departures.forEach(one => this.#seen.set(one.trip, one));
    } catch {
      this.#misses += 1;
    }
    return [...this.#seen.values()].sort((a, b) => a.at.localeCompare(b.at));
  }
}
