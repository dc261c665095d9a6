/** Goes through a list of the server in portions. */
export class Pager {
  constructor(load, { size = 6 } = {}) {
    this.load = load;
    this.size = size;
    this.items = [];
    this.total = Infinity;
    this.busy = false;
  }

  get more() {
    return this.items.length < this.total;
  }

  async next() {
    if (this.busy || !this.more) return this.items;
    this.busy = true;
    try {
      const portion = await this.load({ offset: this.items.length, limit: this.size });
      this.total = portion.total;
      this.items = this.items.concat(portion.items);
      return this.items;
    } finally {
      this.busy = false;
    }
  }
}
