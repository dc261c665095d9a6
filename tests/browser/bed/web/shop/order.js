// The page of one order: /shop/orders/1042
(function () {
  const { store, api } = Shop;

  async function cancel(order) {
    try {
      await api.post(`/api/orders/${order.id}/cancel`, { reason: 'changed my mind' });
      store.say(`Order ${order.id} is cancelled.`);
    } catch (error) {
      console.error('[order] cancel failed', error.message);
      store.say('We could not cancel this order. Please try again later.');
    }
  }

  function draw(order) {
    kit.fill(kit.$('#view'), [
      kit.h('h2', null, 'Your order'),
      kit.h('p', null, `${order.lines.length} items, ${kit.money(order.total)}, ${order.status}`),
      kit.h('ul', null, order.lines.map((line) => kit.h('li', null, `${line.count} × ${line.name}`))),
      order.status === 'open' && kit.h('button', { id: 'cancel', onclick: () => cancel(order) }, 'Cancel order'),
    ]);
  }

  async function show(id) {
    draw(await api.get(`/api/orders/${id}`));
  }

  Shop.order = { show };
})();
