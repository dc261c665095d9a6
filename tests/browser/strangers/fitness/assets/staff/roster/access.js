const RIGHTS = {
  trainer: ["roster.read"],
  front_desk: ["roster.read", "arrivals.write"],
  studio_manager: ["roster.read", "roster.publish", "invoices.read"],
};

export class Access {
  constructor(person) {
    this.rights = new Set(person.roles.flatMap((role) => RIGHTS[role] ?? []));
  }

  may(right) {
    return this.rights.has(right);
  }
}
