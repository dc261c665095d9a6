import { getJson } from '/lib/net.js';

const or = fallback => () => fallback;

export const workshop = {
  vehicles: () => getJson('/api/workshop/vehicles').then(a => a.vehicles),
  crew: () => getJson('/api/workshop/crew').then(a => a.crew),
  tracks: () => getJson('/api/workshop/tracks').then(a => a.tracks).catch(or([])),
};
