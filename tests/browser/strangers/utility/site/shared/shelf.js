/** Things kept on this device. */
export const shelf = {
  put(key, value) {
    try {
      localStorage.setItem(`nw:${key}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
  take(key) {
    const text = localStorage.getItem(`nw:${key}`);
    return text === null ? null : JSON.parse(text);
  },
};
