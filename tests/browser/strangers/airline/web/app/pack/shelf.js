const PREFIX = 'sundvik.pack.';

export const shelf = {
  put(name, value) {
    try {
      localStorage.setItem(PREFIX + name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  get(name) {
    return JSON.parse(localStorage.getItem(PREFIX + name) || 'null');
  },
  clear() {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  },
};
