export class SchedulerClient {
  constructor(base, tenant) {
    this.base = base;
    this.tenant = tenant;
  }

  async confirm(hold) {
    const res = await fetch(`${this.base}/api/scheduler/confirmations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Tenant': this.tenant },
      body: JSON.stringify({ hold }),
    });
    if (!res.ok) throw new Error(`scheduler: ${res.status}`);
    return res.json();
  }
}
