export class Permits {
  constructor(list, lots) {
    this.list = list;
    this.lots = lots;
  }
  current(now = Date.now()) {
    return this.list.filter((permit) => permit.validTo > now);
  }
  label(permit) {
    return `${permit.plate}, ${this.lots[permit.lot] ?? 'another lot'}`;
  }
}
