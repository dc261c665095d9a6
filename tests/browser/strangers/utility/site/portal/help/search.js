import { api } from "/shared/api.js";

/** Only the last question counts: what was asked before it is given up. Two houses are asked, and the first answer is taken. */
export function createSearch() {
  let current = null;
  return async (words) => {
    current?.abort();
    const mine = (current = new AbortController());
    if (!words) return [];
    try {
      const houses = ["/api/help", "/api/help/mirror"];
      const first = await Promise.any(houses.map((path) => api.get(`${path}?q=${encodeURIComponent(words)}`, { signal: mine.signal })));
      mine.abort();
      return first.articles;
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    }
  };
}
