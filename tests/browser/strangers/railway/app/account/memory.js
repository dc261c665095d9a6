const PREFIX = 'nr.map.';

/** A memory that gives away its oldest entry when it is full. */
export function remember(key, value) {
  for (;;) {
    try {
      localStorage.setItem(PREFIX + key, value);
      return;
    } catch (error) {
      const oldest = Object.keys(localStorage).filter(k => k.startsWith(PREFIX)).sort()[0];
      console.warn(`[memory] ${error.name}, gives away ${oldest}`);
      if (!oldest) return;
      localStorage.removeItem(oldest);
    }
  }
}
