const memory = new Map();
export const keep = {
  get(key) { return memory.get(key) ?? JSON.parse(localStorage.getItem(key) ?? 'null'); },
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch (error) {
      console.warn(`keep: ${key} does not fit (${error.name}), in memory for this visit`);
      memory.set(key, value);
    }
  },
};
