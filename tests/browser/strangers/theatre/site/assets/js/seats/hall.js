const STATES = { free: 'free', taken: 'taken', closed: 'closed' };

/** What may be bought: a seat that is free and whose category is on sale. */
export class Hall {
  constructor(inventory, prices) {
    this.name = inventory.hall;
    this.rows = inventory.rows.map((row) => ({
      ...row,
      price: prices.get(row.category) || null,
      seats: row.seats.map((seat) => ({ ...seat, state: this.stateOf(seat, prices.get(row.category)) })),
    }));
  }

  stateOf(seat, price) {
    if (seat.state === 'taken') return STATES.taken;
    if (!price) return STATES.closed;
    return STATES.free;
  }

  get onSale() {
    return this.rows.reduce((sum, row) => sum + row.seats.filter((s) => s.state === STATES.free).length, 0);
  }

  toggle(rowName, no) {
    const row = this.rows.find((r) => r.row === rowName);
    const seat = row && row.seats.find((s) => s.no === no);
    if (!seat || seat.state !== STATES.free) return null;
    return { row: rowName, no, price: row.price };
  }
}
