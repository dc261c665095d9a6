import { getJson } from "/lib/kit.js";
import { litres } from "/cellar/units.js";

export async function barrelsIn(cellar) {
  const { barrels } = await getJson(`/api/cellar/barrels?cellar=${encodeURIComponent(cellar)}`);
  return barrels
    .map((barrel) => ({ ...barrel, litres: litres(barrel.fill, barrel.unit) }))
    .filter((barrel) => barrel.litres > 0);
}
