import { getJson, pick, table } from "/lib/kit.js";
import { quoteFor } from "/shop/delivery/haulier.js";

class DeliveryForm {
  bottles = 0;

  async open() {
    const { lines } = await getJson("/api/shop/basket");
    this.bottles = lines.reduce((sum, line) => sum + line.bottles, 0);
    pick("#basket").append(table(["Wine", "Bottles", "€"], lines.map((l) => [l.wine, l.bottles, l.price])));
    pick("#where").addEventListener("submit", (event) => {
      event.preventDefault();
      this.quote(pick("#postcode").value);
    });
  }

  async quote(postcode) {
    const out = pick("#price");
    const quote = await quoteFor(postcode, this.bottles).catch(() => null);
    out.textContent = quote
      ? `€ ${quote.price.toFixed(2)}, ${quote.days} days`
      : "Sorry, we do not deliver to this postcode.";
  }
}

new DeliveryForm().open();
