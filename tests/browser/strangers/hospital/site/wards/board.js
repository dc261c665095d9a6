import { createStore } from '/lib/store.js';
import { h, mount, table } from '/lib/ui.js';
import { reduce, loadWard } from './actions.js';

const root = document.getElementById('board');
const store = createStore(reduce, { ward: null, beds: [], loaded: false, error: null });

store.subscribe(({ ward, beds, loaded, error }) => {
  if (!loaded) return mount(root, h('p.quiet', null, 'Loading…'));
  if (error) return mount(root, h('p.alarm', null, 'The ward could not be loaded.'));
  const free = beds.filter((bed) => bed.free).length;
  mount(root,
    h('h2', null, ward.name),
    h('p', null, `${free} of ${beds.length} beds are free`),
    beds.length
      ? table(['Bed', 'Patient', 'Since'], beds.map((bed) => [bed.no, bed.patient ?? 'free', bed.since ?? '']))
      : h('p.quiet', null, 'No beds are set up for this ward.'));
});

loadWard(store, document.body.dataset.ward);
