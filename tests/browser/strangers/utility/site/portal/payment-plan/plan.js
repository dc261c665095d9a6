export class Plan {
  constructor({ open, interest, fee }, days) {
    Object.assign(this, { open, interest, fee, days });
  }

  get total() {
    return this.open * (1 + this.interest / 100) + this.fee;
  }

  rows(count) {
    const rate = Math.round((this.total / count) * 100) / 100;
    return this.days.slice(0, count).map((day, i) => ({ number: i + 1, day, rate }));
  }

  get sound() {
    return Number.isFinite(this.total) && this.total > 0;
  }
}
