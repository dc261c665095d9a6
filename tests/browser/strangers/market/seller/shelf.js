const HEAD = 'market.draft.head';
const key = (number) => `market.draft.rev.${number}`;

/** Revisions of a draft, the newest last. */
export class Shelf {
  get head() { return Number(localStorage.getItem(HEAD) ?? 0); }
  newest() {
    const kept = localStorage.getItem(key(this.head));
    return kept ? JSON.parse(kept) : null;
  }
  put(draft) {
    const number = this.head + 1;
    try {
      localStorage.setItem(key(number), JSON.stringify(draft));
      localStorage.setItem(HEAD, number);
    } catch (error) {
      console.debug('[shelf]', error.name);
    }
    return number;
  }
}
