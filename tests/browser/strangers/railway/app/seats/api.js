import { getJson, HttpError } from '/lib/net.js';

export function seatApi(base = '/api') {
  const seatsOf = id => getJson(`${base}/runs/${id}/seats`);
  const stopsOf = id => getJson(`${base}/runs/${id}/stops`);
  const nextTrip = () => getJson(`${base}/trips/next`).then(answer => answer.trip);
  return { nextTrip, seatsOf, stopsOf, isMissing: error => error instanceof HttpError && error.status === 404 };
}
