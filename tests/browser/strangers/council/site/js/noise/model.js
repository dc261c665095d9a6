class ReportModel {
  constructor() { this.listeners = []; this.state = { kind: null, where: '', kinds: [] }; }
  change(part) {
    Object.assign(this.state, part);
    for (const l of this.listeners) l(this.state);
  }
  onChange(l) { this.listeners.push(l); }
}
