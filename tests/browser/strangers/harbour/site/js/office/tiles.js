import { useResource } from './resource.js';

const WEEK = Object.freeze({ span: 'week' });

const figure = ({ data, loading }) => {
  if (!data) return loading ? '<span class="muted">Loading…</span>' : '<span class="muted">no figure</span>';
  return `<strong>${data.value}&nbsp;${data.unit}</strong>`;
};

export function Revenue() {
  return `<h3>Revenue</h3><p>${figure(useResource('/tiles/revenue', WEEK))}</p>`;
}

export function Alerts() {
  return `<h3>Alerts</h3><p>${figure(useResource('/tiles/alerts', WEEK))}</p>`;
}

export function Occupancy({ season }) {
  const query = { from: season.start, to: season.end };
  const state = useResource('/tiles/occupancy', query);
  const details = state.data ? `<p class="muted">${season.start} – ${season.end}, drawn ${new Date().toISOString().slice(14, 23)}</p>` : '';
  return `<h3>Occupancy</h3><p>${figure(state)}</p>${details}`;
}
