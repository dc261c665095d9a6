// From the basket to an order: where to, from which warehouse, at what price.
(function () {
  const { store, api } = Shop;

  async function prepare() {
    const region = await api.get('/api/region');
    store.set('region', region);
    const stock = await api.get('/api/stock', { query: { warehouse: region.warehouse } });
    const items = store.state.cart.lines.filter((line) => stock.levels[line.product] > 0);
    const quote = await api.send('POST', '/api/delivery/quote', {
      body: { country: region.country, items: items.map((line) => ({ product: line.product, count: line.count })) },
    }).catch((error) => error.body);
    store.set('delivery', (quote && quote.options && quote.options[0]) || null);
  }

  function form() {
    const { delivery, region } = store.state;
    return kit.h('form', { id: 'order-form', onsubmit: place },
      kit.h('h2', null, 'Delivery'),
      kit.h('label', null, 'Name ', kit.h('input', { name: 'name', required: true, value: 'A. Ruiz' })),
      kit.h('label', null, 'Street ', kit.h('input', { name: 'street', required: true, value: 'Kelp Row 4' })),
      kit.h('p', { class: 'muted' }, `Ships to ${region.label}`),
      kit.h('button', { id: 'place', type: 'submit' }, delivery ? `Order, delivery ${kit.money(delivery.price)}` : 'Order'));
  }

  function begin() {
    kit.fill(kit.$('#view'), form());
  }

  async function place(event) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    const order = await api.post('/api/orders', {
      address: fields,
      delivery: store.state.delivery.id,
      lines: store.state.cart.lines.map((line) => [line.product, line.count]),
    });
    store.say(`Thank you. Order ${order.id} arrives on ${order.arrives}.`);
    telemetry.track('purchase', order.id);
  }

  Shop.checkout = { prepare, begin };
})();
