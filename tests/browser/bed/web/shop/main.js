(async function () {
  const { store, api } = Shop;
  const notice = kit.$('#notice');

  store.subscribe('notice', (text) => {
    notice.textContent = text;
    notice.hidden = !text;
  });

  new Shop.Basket(kit.$('#basket'));

  const session = await api.get('/api/session');
  store.set('session', session);
  kit.$('#greeting').textContent = session.name ? `Hello ${session.name}` : '';
  await api.authorize(session);

  const order = location.pathname.match(/\/shop\/orders\/(\d+)/);
  if (order) Shop.order.show(Number(order[1]));
  else Shop.catalog.start();

  await store.loadCart();
  await Shop.checkout.prepare();

  if (document.execCommand) console.debug('[main] clipboard: legacy commands available');
  console.info('[main] ready, %d products', store.state.products.length);
})();
