// What a panel starts belongs to it and ends with it.
export function createScope() {
  let controller = new AbortController();
  return {
    get signal() { return controller.signal; },
    end() {
      controller.abort();
      controller = new AbortController();
    },
  };
}
