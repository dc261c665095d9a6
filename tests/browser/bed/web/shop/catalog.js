// The grid of products, its paging and the search box.
(function () {
  const { store, api } = Shop;
  let page = 1;

  function card(product) {
    const picture = kit.h('img', { src: `${Shop.base}/img/${product.image}`, alt: '', width: 120, height: 90, loading: 'lazy' });
    return kit.h('article', { class: 'card', 'data-product': product.id },
      picture,
      kit.h('h3', null, product.name),
      kit.h('p', null, kit.money(product.price)),
      kit.h('button', { class: 'add', onclick: () => store.addLine(product) }, 'Add to basket'));
  }

  function grid(products) {
    if (!products.length) return kit.h('p', { class: 'muted' }, 'No products match.');
    return kit.h('div', { class: 'grid' }, products.map(card));
  }

  function draw() {
    const { results, products } = store.state;
    const heading = results && kit.h('p', { id: 'found', class: 'muted' }, `${results.items.length} found for “${results.q}”`);
    const more = !results && kit.h('button', { id: 'more', onclick: loadMore }, 'Show more');
    kit.fill(kit.$('#view'), [heading, grid(results ? results.items : products), more]);
  }

  async function loadMore() {
    page += 1;
    const answer = await api.get('/api/products', { query: { page } });
    store.set('products', store.state.products.concat(answer.items));
  }

  async function recommended() {
    const url = `${document.documentElement.dataset.other}/v1/recommend?for=home`;
    const response = await fetch(url);
    return (await response.json()).items;
  }

  async function start() {
    const [answer, tips] = await Promise.all([
      api.get('/api/products', { query: { page: 1 } }),
      recommended(),
    ]);
    store.subscribe('products', draw);
    store.subscribe('results', draw);
    store.set('products', answer.items.concat(tips));
  }

  let running = null;
  const search = kit.debounce(async (text) => {
    if (running) running.abort();
    running = new AbortController();
    if (!text) return store.set('results', null);
    try {
      const found = await api.get('/api/search', { query: { q: text }, signal: running.signal });
      store.set('results', found);
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
    }
  }, 30);

  kit.$('#search').addEventListener('input', (event) => search(event.target.value.trim()));
  Shop.catalog = { start, draw };
})();
