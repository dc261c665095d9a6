import { http } from '/lib/http.js';

export async function searchFlights({ from, to, day }) {
  const params = new URLSearchParams({ from, to, day });
  const { flights = [] } = await http.get(`/api/flights/search?${params}`);
  return flights.map((flight) => ({ no: flight.no, at: flight.departure, price: flight.fare }));
}
