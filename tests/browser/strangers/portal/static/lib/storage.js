// Namespaced access to localStorage.
const PREFIX = "wavehall.";

export const storage = {
  read(key, fallback = null) {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : JSON.parse(text);
  },
  write(key, text) {
    localStorage.setItem(PREFIX + key, text);
  },
  remove(key) {
    localStorage.removeItem(PREFIX + key);
  },
};
