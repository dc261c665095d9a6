import { createClient } from "/shared/api.js";

export class Scheduling {
  constructor(address, region) {
    this.open = createClient(address);
    this.regional = createClient(address, { "X-Portal-Region": region });
  }

  services() {
    return this.open.get("/v1/services").then((answer) => answer.services);
  }

  slots(service) {
    return this.regional.get(`/v1/slots?service=${encodeURIComponent(service)}&days=14`)
      .then((answer) => answer.slots)
      .catch(() => []);
  }
}
