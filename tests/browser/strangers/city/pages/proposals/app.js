import { h, mount, useState, useEffect } from '/lib/nano.js';
import { api } from '/lib/api.js';

function useProposals(filter) {
  const [items, setItems] = useState([]);
  const [loading, setLoading] = useState(true);

  useEffect(() => {
    setLoading(true);
    api('/api/proposals?' + new URLSearchParams(filter)).then((r) => {
      setItems(r.proposals);
      setLoading(false);
    });
  }, [filter]);

  return { items, loading };
}

function Proposals() {
  const [sort, setSort] = useState('votes');
  const { items, loading } = useProposals({ sort, state: 'open' });

  return h('section', null,
    h('h1', null, 'Citizen proposals'),
    h('p', null, h('button', { class: 'plain', onclick: () => setSort('votes') }, 'Most votes'), ' ', h('button', { class: 'plain', onclick: () => setSort('new') }, 'Newest')),
    loading ? h('p', { class: 'muted' }, 'Loading proposals…') : h('ul', { class: 'plain' }, items.map((p) => h('li', null, `${p.title} (${p.votes})`))));
}

mount(Proposals, document.getElementById('app'));
