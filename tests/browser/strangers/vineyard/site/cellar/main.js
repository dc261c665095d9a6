import { getJson, pick } from "/lib/kit.js";
import { loadUnits } from "/cellar/units.js";
import { barrelsIn } from "/cellar/barrels.js";
import { showBarrels, showClimate } from "/cellar/view.js";

async function start() {
  const estate = await getJson("/api/estate");
  pick("#estate").textContent = `${estate.cellar} cellar`;
  getJson("/api/cellar/climate").then(showClimate);
  await loadUnits("eu");
  showBarrels(await barrelsIn(estate.cellar));
}

start();
