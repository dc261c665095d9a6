(function (Linden) {
  'use strict';
  // Medicines can be looked up without the network: every beginning of a name leads to its entries.
  const PREFIX = 'lp.medicines.';
  const PART = 10;

  function part(items) {
    const index = {};
    for (const item of items) {
      for (let size = 2; size <= item.name.length; size += 1) {
        const begin = item.name.slice(0, size).toLowerCase();
        (index[begin] = index[begin] || []).push(item);
      }
    }
    return JSON.stringify(index);
  }

  async function refresh() {
    if (localStorage.getItem(PREFIX + 'ready')) return;
    const { items } = await Linden.http.get('/api/catalogue/medicines');
    for (let at = 0; at < items.length; at += PART) {
      try {
        localStorage.setItem(PREFIX + at / PART, part(items.slice(at, at + PART)));
      } catch (error) {
        break; // as many as there is room for
      }
    }
    localStorage.setItem(PREFIX + 'ready', '1');
  }

  function suggest(begin) {
    for (const key of Object.keys(localStorage).filter((k) => k.startsWith(PREFIX) && !k.endsWith('ready'))) {
      const found = JSON.parse(localStorage.getItem(key))[begin.toLowerCase()];
      if (found) return found.slice(0, 8);
    }
    return [];
  }

  Linden.medicines = { refresh, suggest };
})(window.Linden);
