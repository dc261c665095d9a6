const MINUTE = 60 * 1000;

/** One van-load on its way to the packing house. */
export class Delivery {
  constructor(raw) {
    this.ref = raw.ref;
    this.farm = raw.farm;
    this.goods = raw.goods;
    this.crates = Number(raw.crates) || 0;
    this.driver = raw.driver;
    this.expected = new Date(raw.expected);
    this.near = null;
  }

  minutesFrom(now) {
    return Math.round((this.expected - now) / MINUTE);
  }

  groupAt(now) {
    const minutes = this.minutesFrom(now);
    if (minutes < -15) return 'overdue';
    if (minutes < 60) return 'next';
    return 'later';
  }
}

export class Board {
  constructor(deliveries, now) {
    this.groups = { overdue: [], next: [], later: [] };
    for (const delivery of [...deliveries].sort((a, b) => a.expected - b.expected)) {
      this.groups[delivery.groupAt(now)].push(delivery);
    }
  }

  get cratesToCome() {
    return [...this.groups.next, ...this.groups.later].reduce((sum, delivery) => sum + delivery.crates, 0);
  }
}
