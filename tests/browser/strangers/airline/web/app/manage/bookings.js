import { http } from '/lib/http.js';

export async function findBooking(code) {
  try {
    return await http.get(`/api/bookings/${code}`);
  } catch (error) {
    return null;
  }
}
