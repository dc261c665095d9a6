import { bus } from '/lib/bus.js';
import { getJson } from '/lib/net.js';

export async function startSource(every) {
  const { lines } = await getJson('/api/announcements');
  let n = 0;
  bus.emit('line', lines[0]);
  setInterval(() => bus.emit('line', lines[++n % lines.length]), every);
}
