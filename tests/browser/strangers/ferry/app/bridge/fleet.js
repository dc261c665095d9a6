import { getJSON } from "/lib/http.js";
import { h } from "/lib/dom.js";

class FleetList {
  constructor(host) { this.host = host; }

  show(ships) {
    for (const ship of ships) {
      const row = h("li", {}, h("b", {}, ship.name), ` ${ship.lat.toFixed(3)} N ${ship.lon.toFixed(3)} E`);
      addEventListener("resize", () => row.classList.toggle("muted", innerWidth < 500));
      this.host.append(row);
    }
  }
}

const list = new FleetList(document.querySelector("#fleet"));
const ships = await getJSON("/api/fleet");
const move = () => {
  ships.forEach((ship) => { ship.lat += 0.001; ship.lon += 0.002; });
  list.show(ships);
};
move();
setInterval(move, 250);
