// Only the latest of several runs counts; an older one is given up.
export function latest(task, { limit = 0 } = {}) {
  let current = null;
  return async (...args) => {
    current?.abort();
    const controller = current = new AbortController();
    const timer = limit ? setTimeout(() => controller.abort(), limit) : 0;
    try {
      return await task(controller.signal, ...args);
    } finally {
      clearTimeout(timer);
    }
  };
}
