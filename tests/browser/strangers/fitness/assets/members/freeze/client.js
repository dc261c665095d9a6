import { getJson, sendJson } from "/assets/lib/http.js";

export class FormClient {
  #token;

  async #ready() {
    this.#token ??= (await getJson("/api/session")).token;
    return this.#token;
  }

  async post(path, data) {
    return sendJson("POST", path, data, { "X-Form-Token": await this.#ready() });
  }
}
