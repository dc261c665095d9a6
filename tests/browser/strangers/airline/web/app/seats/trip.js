import { http } from '/lib/http.js';

export async function currentTrip() {
  const { booking, flight, cabin } = await http.get('/api/trips/current');
  const { id, code, departureId, traveller } = booking;
  return { id, code, departureId, traveller, flight, cabin };
}
