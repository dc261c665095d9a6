import { Api } from '/js/core/api.js';

const shared = { 'X-Harbour-Terminal': document.documentElement.dataset.terminal ?? 'web' };

export const office = new Api({ base: '/api/fuel', headers: shared });
export const supplier = new Api({ base: document.querySelector('meta[name=supplier]').content, headers: shared });
