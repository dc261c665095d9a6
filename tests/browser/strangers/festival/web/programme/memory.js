const KEY = 'programme';

export function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? { picks: [] };
  } catch {
    return { picks: [] };
  }
}

export function remember(state) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch { /* private windows */ }
}
