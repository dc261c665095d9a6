import { getJSON } from "/lib/http.js";

export class CabinClient {
  #patience = 1200;

  types() { return getJSON("/api/cabins/types"); }

  async availability(sailing) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#patience);
    try {
      const { free } = await getJSON(`/api/cabins/availability?sailing=${sailing}`, { signal: controller.signal });
      return free;
    } catch (error) {
      if (error.name === "AbortError") return {};
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
