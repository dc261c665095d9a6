import { getJson, h, pick } from "/lib/kit.js";

async function open(shipment) {
  const file = await getJson(`/api/export/shipments/${shipment.id}/papers`);
  pick("#papers").replaceChildren(
    h("h2", {}, `Papers of shipment ${shipment.id}`),
    h("p", {}, `Consignee: ${file.consignee}, ${file.destination}`),
    h("ul", {}, file.papers.map((p) => h("li", {}, `${p.kind}: ${p.number ?? `${p.cases} cases`}`))));
}

const { shipments } = await getJson("/api/export/shipments");
pick("#shipments").append(h("table", {}, shipments.map((s) => h("tr", { id: s.id },
  h("td", {}, s.id), h("td", {}, s.consignee), h("td", {}, s.city), h("td", {}, `${s.cases} cases`),
  h("td", {}, h("button", { onclick: () => open(s) }, "Papers"))))));
