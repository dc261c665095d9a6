const area = window.localStorage;

export const shelf = {
  put(key, value) {
    try {
      area.setItem(key, JSON.stringify(value));
    } catch {
      return false;
    }
    return true;
  },
  get(key, otherwise) {
    const text = area.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  },
};
