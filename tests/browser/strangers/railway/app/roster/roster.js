import { getJson } from '/lib/net.js';

export class Roster {
  #week;
  #shifts = [];
  #watchers = [];

  constructor(week) { this.#week = week; }

  get shifts() { return this.#shifts; }

  onChange(watcher) { this.#watchers.push(watcher); return this; }

  async refresh() {
    this.#shifts = await this.#ask();
    this.#watchers.forEach(watcher => watcher(this));
  }

  async #ask() {
    try {
      return (await getJson(`/api/roster/week?no=${this.#week}`, { credentials: 'include' })).shifts;
    } catch {
      return []; // drivers are in tunnels often
    }
  }
}
