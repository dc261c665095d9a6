import { api } from "../lib/api.js";

const EVERY = 1500;

// Keeps the number of free seats of a show up to date.
export function watchSeats(show, changed) {
  return setInterval(async () => {
    const seats = await api(`/shows/${show.id}/seats`);
    changed(show.id, seats.free);
  }, EVERY);
}
