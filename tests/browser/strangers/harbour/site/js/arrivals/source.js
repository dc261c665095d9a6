import { api } from '/js/core/api.js';

const clock = (iso) => new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

export function pageOf(said, map) {
  const rows = Array.isArray(said) ? said : said?.items;
  return (rows || []).map(map).filter(Boolean);
}

export const toArrival = (row) => ({ name: row.vessel.name, port: row.from, time: clock(row.eta), berth: row.berth });
export const toDeparture = (row) => ({ name: row.vessel.name, port: row.to, time: clock(row.etd), berth: '' });

export async function arrivals() {
  return pageOf(await api.get('/arrivals', { query: { day: 'today', size: 50 } }), toArrival);
}

export async function departures() {
  return pageOf(await api.get('/departures'), toDeparture);
}

export const summary = () => api.get('/arrivals/summary');
