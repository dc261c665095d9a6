import { getJson, wait } from '/lib/http.js';

export class Uploader extends EventTarget {
  static HOST = 'http://127.0.0.1:@@MEDIA@@';
  #tell(state, detail = {}) {
    this.dispatchEvent(new CustomEvent('state', { detail: { state, ...detail } }));
  }
  async send(blob) {
    const { ticket } = await getJson('/api/uploads/ticket');
    for (let turn = 0; turn < 2; turn++) {
      this.#tell('Uploading…');
      try {
        const response = await fetch(`${Uploader.HOST}/upload`, { method: 'POST', headers: { 'content-type': 'image/png', 'x-upload-token': ticket }, body: blob });
        return this.#tell('Uploaded', { photo: await response.json() });
      } catch {
        this.#tell('Waiting for a connection…');
        await wait(1200);
      }
    }
  }
}
