import { createStore } from '/assets/lib/store.js';

export const basket = createStore({ goods: [], counts: {}, me: null, priceOf: () => 0, slots: [] });

export const add = sku => basket.set(({ counts }) => ({ counts: { ...counts, [sku]: (counts[sku] ?? 0) + 1 } }));

export const total = ({ counts, priceOf }) => Object.entries(counts).reduce((sum, [sku, count]) => sum + count * priceOf(sku), 0);
