import { http } from '/lib/http.js';

export async function tripsOfYear() {
  const { trips } = await http.get('/api/club/trips');
  const whole = [];
  for (const { id } of trips) {
    whole.push(await http.get(`/api/club/trips/${id}`));
  }
  return whole;
}
