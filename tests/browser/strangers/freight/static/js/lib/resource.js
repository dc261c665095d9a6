import { send } from './http.js';

// One record of the API that can be read and written, guarded by its version.
export class Resource {
  constructor(url) {
    this.url = url;
    this.version = null;
    this.data = null;
  }

  async load() {
    const { data, headers } = await send('GET', this.url, { headers: { 'Cache-Control': 'no-cache' } });
    this.version = headers.get('ETag');
    this.data = data;
    return data;
  }

  async save(changes) {
    const body = { ...this.data, ...changes };
    const { data } = await send('PUT', this.url, { body, headers: { 'If-Match': this.version } });
    this.data = data;
    return data;
  }
}
