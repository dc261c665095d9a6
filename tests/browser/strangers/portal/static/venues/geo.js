import { api } from "../lib/api.js";

const GEO = `http://${location.hostname}:@@GEO@@/geo/v2`;
const CLIENT = "portal-4.11";

export function nearby(place) {
  return api(`${GEO}/venues?lat=${place.lat}&lon=${place.lon}`, { headers: { "x-client-release": CLIENT } });
}
