import { Emitter } from '../shared/emitter.js';
import { posterOf } from './offline.js';

const KEY = 'theatre:plan';

export const storage = {
  read(key, fallback) {
    try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; }
  },
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};

export class Plans extends Emitter {
  all() { return storage.read(KEY, []); }

  async add(evening) {
    const plans = this.all();
    if (!plans.some((p) => p.id === evening.id)) {
      const poster = await posterOf(evening.id);
      plans.push({ ...evening, poster, reminder: ['one week', 'one day'], added: new Date().toISOString() });
    }
    storage.write(KEY, plans);
    this.emit('change', this.all());
  }

  remove(id) {
    storage.write(KEY, this.all().filter((p) => p.id !== id));
    this.emit('change', this.all());
  }
}
