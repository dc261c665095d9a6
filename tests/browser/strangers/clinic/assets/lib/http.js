(function (root) {
  'use strict';
  const Linden = root.Linden = root.Linden || {};

  class HttpError extends Error {
    constructor(response, payload) {
      super(`${response.status} ${response.url}`);
      this.status = response.status;
      this.payload = payload;
    }
  }

  async function request(method, path, options = {}) {
    const headers = { Accept: 'application/json' };
    let body;
    if (options.json !== undefined) {
      headers['Content-Type'] = 'application/json';
      body = JSON.stringify(options.json);
    }
    const response = await fetch(path, { method, headers, body, signal: options.signal });
    const payload = await parse(response);
    if (!response.ok) throw new HttpError(response, payload);
    return payload;
  }

  async function parse(response) {
    if (response.status === 204) return null;
    const type = response.headers.get('Content-Type') || '';
    return type.includes('json') ? response.json() : response.text();
  }

  Linden.HttpError = HttpError;
  Linden.http = {
    get: (path, options) => request('GET', path, options),
    post: (path, json, options) => request('POST', path, { ...options, json }),
    put: (path, json, options) => request('PUT', path, { ...options, json }),
    getJSON(path) {
      console.warn('[linden] http.getJSON is deprecated and will go in 5.0, use http.get');
      return request('GET', path);
    },
  };
})(window);
