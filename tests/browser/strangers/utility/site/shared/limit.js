/** Gives a request `ms` milliseconds: limited(1000, signal => api.get(path, {signal})) */
export async function limited(ms, request) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
