// The documents' API.
(function () {
  const base = document.documentElement.dataset.base;

  async function ask(method, path, body, signal) {
    const response = await fetch(base + path, {
      method,
      signal,
      redirect: 'follow',
      headers: body instanceof FormData ? undefined : { 'content-type': 'application/json' },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    });
    if (response.status === 409) return { conflict: true, current: await response.json() };
    if (!response.ok) throw Object.assign(new Error(`${method} ${path} failed`), { status: response.status });
    return response.status === 204 ? null : response.json();
  }

  window.Folio = {
    base,
    load: (id) => ask('GET', `/api/documents/${id}`),
    lock: (id) => ask('POST', `/api/documents/${id}/lock`, { minutes: 30 }),
    save: (id, version, text, lock) => ask('PUT', `/api/documents/${id}`, { version, text, lock }),
    publish: (id, fields) => ask('POST', `/api/documents/${id}/publish`, fields),
    suggest: (word, signal) => ask('GET', `/api/suggest?word=${encodeURIComponent(word)}`, undefined, signal),
    collaborators: (id) => ask('GET', `/api/documents/${id}/collaborators`),
    ask,
  };
})();
