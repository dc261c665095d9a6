import { api } from '/assets/lib/api.js';
import { queries } from './query.js';

export const WEEK = 49;

export function watchSlots(show) {
  return queries.watch('/api/press/slots', { week: WEEK }, show);
}

export async function book(slot) {
  const booking = await api.post('/api/press/bookings', { week: WEEK, slot });
  queries.refresh('/api/press/slots');
  return booking;
}

export const machine = () => queries.fetch('/api/press/machine');
