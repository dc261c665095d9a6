import { api } from "/shared/api.js";
import { $, euro, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { tariffsOf } from "./catalogue.js";

mountShell({ measure: true });

$("#search").addEventListener("submit", async (event) => {
  event.preventDefault();
  const postcode = $("#postcode").value.trim();
  const [place, tariffs] = await Promise.all([api.get(`/api/places?postcode=${postcode}`), tariffsOf(postcode)]);
  $("#town").textContent = `${place.postcode} ${place.town}`;
  fill("#tariffs", ...(tariffs.length
    ? tariffs.map((one) => h("div", { class: "card" }, h("b", {}, one.name), ` about ${euro(one.year)} a year`))
    : [h("p", {}, `We do not offer a tariff in ${place.town} at the moment.`)]));
});
