import { api } from '../shared/client.js';
import { h, mount, useState, useEffect, useMemo } from '../shared/limelight.js';
import { log } from '../shared/log.js';

const normalise = (entry) => ({
  id: entry.id,
  name: entry.name,
  shelf: entry.shelf || '-',
  state: entry.state || 'free',
});

/** All of a collection, whether it comes as a list or in pages. */
export function collect(payload) {
  const entries = Array.isArray(payload) ? payload : (payload && payload.items) || [];
  return entries.filter((entry) => entry && entry.id).map(normalise);
}

const repository = {
  props: () => api.get('/props').then(collect),
  shelves: () => api.get('/props/shelves').then(collect),
};

function Filter({ shelves, value, onChange }) {
  return h('label', null, 'Shelf ',
    h('select', { onChange: (event) => onChange(event.target.value) },
      h('option', { value: '', selected: value === '' }, 'all'),
      shelves.map((s) => h('option', { value: s.id, selected: value === s.id }, s.name))));
}

function Table({ rows }) {
  if (!rows.length) return h('p', { class: 'muted' }, 'The store room is empty: no props have been entered yet.');
  return h('table', null, rows.map((row) => h('tr', null,
    h('td', null, row.id), h('td', null, row.name), h('td', null, row.shelf), h('td', null, row.state))));
}

function Props() {
  const [props, setProps] = useState(null);
  const [shelves, setShelves] = useState([]);
  const [shelf, setShelf] = useState('');

  useEffect(() => {
    repository.shelves().then(setShelves);
    repository.props().then(setProps).catch((error) => log.warn('props', error));
    fetch('/api/props/photos/901.webp').then((r) => { if (!r.ok) log.warn('prop 901 has no photo yet'); });
  }, []);

  const rows = useMemo(() => (props || []).filter((p) => !shelf || p.shelf.startsWith(shelf)), [props, shelf]);

  return h('div', null,
    h(Filter, { shelves, value: shelf, onChange: setShelf }),
    props === null ? h('p', { class: 'spin' }, 'Opening the store room ...') : h(Table, { rows }),
    h('p', { class: 'muted' }, `${rows.length} props`));
}

mount(Props, document.querySelector('#props'));
