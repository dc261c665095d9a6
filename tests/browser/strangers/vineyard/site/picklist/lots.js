import { getJson } from "/lib/kit.js";

export async function lotsOf(ids) {
  const lots = [];
  for (const id of ids) {
    lots.push(await getJson(`/api/lots/${id}`));
  }
  return lots.sort((a, b) => a.rack.localeCompare(b.rack));
}
