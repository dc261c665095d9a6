import { getJson, pick, table } from "/lib/kit.js";
import { lotsOf } from "/picklist/lots.js";

const { tour, lots } = await getJson("/api/picklist");
pick("#tour").textContent = tour;
const rows = await lotsOf(lots);
pick("#state").textContent = `Ready: ${rows.length} lots`;
pick("#lots").replaceWith(table(["Rack", "Lot", "Wine", "Bottles"], rows.map((r) => [r.rack, r.lot, r.wine, r.bottles])));
