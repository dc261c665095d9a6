/** Keeps what it can; the oldest goes first when there is no room. */
export function keep(name, text) {
  for (;;) {
    try {
      localStorage.setItem(name, text);
      return true;
    } catch (error) {
      const oldest = Object.keys(localStorage).filter((key) => key.startsWith('traffic.') && key !== name).sort()[0];
      if (!oldest) return false;
      console.warn(`[cache] ${error.name}: ${oldest} makes room`);
      localStorage.removeItem(oldest);
    }
  }
}
