import { api } from '../shared/client.js';
import { Emitter } from '../shared/emitter.js';

export class ProgrammeModel extends Emitter {
  constructor(scope) {
    super();
    this.scope = scope;
    this.genre = 'all';
    this.items = [];
    this.busy = false;
  }

  async genres() { this.emit('genres', await api.get('/genres')); }

  setGenre(genre) {
    this.genre = genre;
    this.load();
    this.emit('filter', { genre });
  }

  async load() {
    this.busy = true;
    this.emit('change', this);
    try {
      const { items } = await api.get(`/programme?genre=${this.genre}`, { signal: this.scope.signal });
      this.items = items;
      this.busy = false;
      this.emit('change', this);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.busy = false;
      this.emit('problem', error);
    }
  }
}
