import { shelf } from "/shared/shelf.js";

/** A draft has everything that is needed to go on without a network: the text and the scanned pages. */
export class Drafts {
  constructor(contract) {
    this.key = `draft/${contract}`;
  }

  keep(text, scans) {
    const at = new Date().toTimeString().slice(0, 5);
    shelf.put(this.key, { text, scans, at });
    return at;
  }

  open() {
    return shelf.take(this.key);
  }
}
