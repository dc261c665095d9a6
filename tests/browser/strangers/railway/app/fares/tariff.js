/** The tariff house quotes for all railways of the country. */
export class Tariff {
  #host;
  #zone;

  constructor(host, zone) {
    this.#host = host;
    this.#zone = zone;
  }

  async quotes(from, to) {
    const url = new URL('/tariff/quotes', this.#host);
    url.search = new URLSearchParams({ from, to });
    const answer = await fetch(url, { headers: { 'X-Tariff-Zone': this.#zone } });
    return answer.ok ? (await answer.json()).quotes : {};
  }
}
