// What the page knows. Components subscribe to a slice and are told when it is replaced.
(function () {
  const events = kit.emitter();
  const state = {
    session: null,
    products: [],
    results: null,
    cart: null,
    discount: 0,
    region: null,
    delivery: null,
    notice: '',
  };

  function set(name, value) {
    state[name] = value;
    events.emit(name, value);
  }

  function subscribe(name, listener) {
    return events.on(name, listener);
  }

  async function loadCart() {
    try {
      set('cart', await Shop.api.get('/api/cart'));
    } catch (error) {
      if (error.status !== 401 && error.status !== 403) throw error;
      set('cart', error.body);
    }
    return state.cart;
  }

  async function addLine(product, count) {
    const cart = await Shop.api.post('/api/cart/lines', { product: product.id, count: count || 1 });
    set('cart', cart);
    telemetry.track('add_to_cart', product.id);
  }

  async function applyPromo(code) {
    const promo = await Shop.api.post('/api/promo', { code });
    set('discount', promo.discount.percent);
    say(`Code ${code}: ${promo.discount.percent} % off`);
  }

  function say(text) {
    set('notice', text);
  }

  function subtotal() {
    return state.cart.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  }

  function total() {
    const goods = subtotal() * (1 - state.discount / 100);
    return goods + (state.delivery ? state.delivery.price : 0);
  }

  Shop.store = { state, set, subscribe, loadCart, addLine, applyPromo, say, subtotal, total };
})();
