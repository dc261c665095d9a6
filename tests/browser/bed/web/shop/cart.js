// The basket at the side: lines, promotion code, total.
(function () {
  const { store } = Shop;

  class Basket {
    constructor(root) {
      this.root = root;
      ['cart', 'discount', 'delivery'].forEach((slice) => store.subscribe(slice, () => this.draw()));
    }

    rows() {
      const { cart } = store.state;
      return cart.lines.map((line) => kit.h('tr', null,
        kit.h('td', null, line.name),
        kit.h('td', null, `${line.count} ×`),
        kit.h('td', null, kit.money(line.price))));
    }

    promo() {
      const code = kit.h('input', { id: 'promo', placeholder: 'Promotion code', size: 12 });
      const apply = kit.h('button', { id: 'apply', onclick: () => store.applyPromo(code.value.trim()) }, 'Apply');
      return kit.h('p', null, code, apply);
    }

    draw() {
      const { cart, discount } = store.state;
      const body = cart.lines.length
        ? kit.h('table', null, kit.h('tbody', null, this.rows()))
        : kit.h('p', { class: 'muted' }, 'Nothing in it yet.');
      kit.fill(this.root, [
        kit.h('h2', null, 'Basket'),
        body,
        this.promo(),
        discount > 0 && kit.h('p', null, `− ${discount} %`),
        kit.h('p', { id: 'total' }, kit.money(store.total())),
        kit.h('button', { id: 'buy', disabled: !cart.lines.length, onclick: () => Shop.checkout.begin() }, 'Checkout'),
      ]);
    }
  }

  Shop.Basket = Basket;
})();
