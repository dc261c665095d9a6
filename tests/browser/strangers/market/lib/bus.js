export class Bus {
  #heard = new Map();
  on(topic, hear) {
    if (!this.#heard.has(topic)) this.#heard.set(topic, []);
    this.#heard.get(topic).push(hear);
    return () => this.off(topic, hear);
  }
  off(topic, hear) {
    this.#heard.set(topic, (this.#heard.get(topic) ?? []).filter((one) => one !== hear));
  }
  emit(topic, value) {
    for (const hear of [...(this.#heard.get(topic) ?? [])]) hear(value);
  }
}
