(function (Linden) {
  'use strict';
  // What somebody chose is on the server; a copy here spares the first request.
  const keyOf = (name) => `lp.prefs.${name}`;

  async function load(name) {
    const kept = localStorage.getItem(keyOf(name));
    if (kept === null) return Linden.http.get(`/api/preferences/${name}`);
    try {
      return JSON.parse(kept);
    } catch (error) {
      return {};
    }
  }

  async function save(name, prefs) {
    const saved = await Linden.http.put(`/api/preferences/${name}`, prefs);
    localStorage.setItem(keyOf(name), saved);
    return saved;
  }

  Linden.prefs = { load, save };
})(window.Linden);
