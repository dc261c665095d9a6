/** Quotes of the market hall as they come. */
export class Feed extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    this.source = null;
    this.last = null;
  }

  open() {
    this.source = new EventSource(this.address);
    this.source.onopen = () => this.#state('live');
    this.source.onerror = () => this.#state(this.source.readyState === EventSource.CLOSED ? 'closed' : 'connecting');
    this.source.onmessage = (message) => this.#take(message);
    return this;
  }

  close() {
    this.source?.close();
    this.#state('closed');
  }

  #take(message) {
    try {
      this.last = JSON.parse(message.data);
      this.dispatchEvent(new CustomEvent('quote', { detail: this.last }));
    } catch (error) {
      console.warn('feed: not a quote', message.data);
    }
  }

  #state(name) {
    this.dispatchEvent(new CustomEvent('state', { detail: name }));
  }
}
