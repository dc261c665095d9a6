const KEEP = 5;

/** Asks every second; what is shown is the last five. */
export class Ticker {
  #tag = null;
  #list;

  constructor(list) {
    this.#list = list;
  }

  async tick() {
    const response = await fetch("/api/news/ticker", { headers: this.#tag ? { "If-None-Match": this.#tag } : {} });
    if (response.status === 200) {
      this.#tag = response.headers.get("etag");
      const { at, text } = await response.json();
      const item = document.createElement("li");
      item.textContent = `${at} ${text}`;
      this.#list.prepend(item);
      while (this.#list.children.length > KEEP) this.#list.lastElementChild.remove();
    }
    setTimeout(() => this.tick(), 1000);
  }
}
