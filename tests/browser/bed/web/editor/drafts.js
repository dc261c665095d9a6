// Keeps what is typed in the browser, in case the line drops before it is saved.
(function () {
  const KEY = 'folio:draft:';
  const KEPT = 20;

  function history(id) {
    const text = localStorage.getItem(KEY + id);
    return text ? JSON.parse(text) : [];
  }

  function keep(doc) {
    const list = history(doc.id).slice(1 - KEPT);
    list.push({ at: doc.version, text: doc.text });
    localStorage.setItem(KEY + doc.id, JSON.stringify(list));
  }

  function forget(id) {
    localStorage.removeItem(KEY + id);
  }

  function last(id) {
    const list = history(id);
    return list[list.length - 1];
  }

  Folio.drafts = { keep, forget, last };
})();
