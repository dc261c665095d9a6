import { getJson, sendJson } from "/assets/lib/http.js";

export const createStock = () => {
  let items = [];
  const find = (sku) => items.find((item) => item.sku === sku);
  return {
    async load() {
      items = await getJson("/api/inventory");
      return items;
    },
    async count(sku, count) {
      const change = JSON.stringify({ sku, count, counted_by: "desk-2" });
      await sendJson("PUT", `/api/inventory/${sku}`, change);
      find(sku).count = count;
      return items;
    },
  };
};
