export class Line {
  constructor({ sku, name, price, qty, deposit = 0 }) {
    Object.assign(this, { sku, name, price, qty, deposit });
  }

  get goods() {
    return this.price * this.qty;
  }
}

export class Cart {
  constructor({ lines, minimum }) {
    this.lines = lines.map((line) => new Line(line));
    this.minimum = minimum;
  }

  get goods() {
    return this.lines.reduce((sum, line) => sum + line.goods, 0);
  }

  get deposits() {
    return this.lines.reduce((sum, line) => sum + line.deposit, 0);
  }

  get total() {
    return Number(this.goods + this.deposits);
  }

  get orderable() {
    return this.total >= this.minimum;
  }
}
