// Prices are computed off the main thread: rate cards of agencies have some thousand rows.
const program = `
  self.onmessage = ({ data: { slot, colour, card } }) => {
    let price = slot.mm * card.perMm;
    if (colour) price *= card.colour;
    self.postMessage(Math.round(price * 100) / 100);
  };
`;
export class Quotes {
  #worker = new Worker(URL.createObjectURL(new Blob([program], { type: 'text/javascript' })));
  #waiting = [];
  constructor() {
    this.#worker.addEventListener('message', ({ data }) => this.#waiting.shift()?.(data));
    this.#worker.addEventListener('error', (event) => event.preventDefault());
  }
  price(slot, colour, card) {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage({ slot, colour, card });
    });
  }
}
