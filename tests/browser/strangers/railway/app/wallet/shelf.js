/** What stays on the device, for tunnels and for the conductor. */
const PREFIX = 'nr.shelf.';

export const shelf = {
  put(key, value) {
    try {
      localStorage.setItem(PREFIX + key, value);
      return true;
    } catch {
      return false;
    }
  },
  get: key => localStorage.getItem(PREFIX + key),
  * keys(kind) {
    for (let n = 0; n < localStorage.length; n++) {
      const key = localStorage.key(n);
      if (key.startsWith(PREFIX + kind)) yield key.slice(PREFIX.length);
    }
  },
};
