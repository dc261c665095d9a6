/** What a zone's water was found to be, in the order in which people ask. */
const ORDER = ["hardness", "nitrate", "ph"];

export class Quality {
  constructor(raw) {
    this.published = raw.published;
    this.values = new Map((raw.parameters || []).map((one) => [one.key, one]));
  }

  *[Symbol.iterator]() {
    for (const key of ORDER) if (this.values.has(key)) yield this.values.get(key);
  }
}
