import { http } from '/lib/http.js';
import { h } from '/lib/dom.js';

export async function seatsFor(trip) {
  try {
    const [{ rows }, prices] = await Promise.all([
      http.get(`/api/departures/${trip.id}/seats`),
      http.get('/api/seat-prices'),
    ]);
    return rows.map((row) => ({ ...row, price: row.row < 4 ? prices.front : prices.other }));
  } catch {
    return [];
  }
}

export const drawRow = (row) => h('tr', {}, h('td', {}, row.row), ...row.free.map((seat) => h('td', {}, h('button', {}, row.row + seat))));
