const CHUNKS = { calendar: './calendar-5d20e7.js', invoice: './invoice-77ab10.js' };

export async function lazy(name) {
  try {
    return await import(CHUNKS[name]);
  } catch {
    return {};
  }
}
