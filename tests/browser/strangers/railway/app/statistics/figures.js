import { getJson } from '/lib/net.js';

export async function* figuresOf(stations) {
  for (const station of stations) {
    yield await getJson('/api/statistics/punctuality?station=' + encodeURIComponent(station));
  }
}

export const mean = figures => figures.reduce((sum, { percent }) => sum + percent, 0) / figures.length;
