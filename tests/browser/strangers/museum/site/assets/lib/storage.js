// Small keeper for what stays on the visitor's device.
const PREFIX = 'moq:';

export function keep(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function recall(key, otherwise = null) {
  const text = localStorage.getItem(PREFIX + key);
  return text === null ? otherwise : JSON.parse(text);
}

export function forget(start = '') {
  Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start)).forEach((key) => localStorage.removeItem(key));
}
