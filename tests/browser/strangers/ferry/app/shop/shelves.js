import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";

async function fill() {
  const { ids } = await getJSON("/api/shop/goods");
  const goods = [];
  for (const id of ids) goods.push(await getJSON(`/api/shop/goods/${id}`));
  put("#goods", goods.map((g) => h("li", {}, `${g.name} € ${g.price}`)));
  put("#state", `${goods.length} articles`);
}
fill();
