import { OfficeClient } from "/orders/client.js";
import { h, pick, table } from "/lib/kit.js";

class OrdersScreen {
  constructor(root, client) {
    this.root = root;
    this.client = client;
  }

  async open() {
    this.client.summary().then(({ open }) => { pick("#badge").textContent = open; });
    const { id = "" } = await this.client.warehouse();
    const { orders } = await this.client.orders({ state: "open", warehouse: id });
    this.render(orders);
  }

  render(orders) {
    this.root.replaceChildren(orders.length
      ? table(["No.", "Customer", "Cases"], orders.map((o) => [o.id, o.customer, o.cases]))
      : h("p", { className: "note" }, "Everything is shipped. Nothing to send today."));
  }
}

new OrdersScreen(pick("#orders"), new OfficeClient()).open();
