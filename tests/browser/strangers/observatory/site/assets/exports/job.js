export class ExportJob {
  #timer = null;
  constructor(client, set, notify) {
    this.client = client;
    this.set = set;
    this.notify = notify;
    this.status = { phase: 'idle', progress: 0 };
  }

  #move(part) {
    this.status = { ...this.status, ...part };
    this.notify(this.status);
  }

  async start() {
    this.#move({ phase: 'working', progress: 0 });
    const job = await this.client.post('/api/exports', { set: this.set });
    this.id = job.id;
    this.#later();
  }

  #later(ms = 600) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  async #look() {
    let job;
    try {
      job = await this.client.get(`/api/exports/${this.id}`);
    } catch (error) {
      console.warn('[export] asking again', error.message);
      return this.#later(1000);
    }
    switch (job.state) {
      case 'completed':
        return this.#move({ phase: 'ready', progress: 100, url: job.url });
      case 'failed':
      case 'cancelled':
        return this.#move({ phase: 'failed', reason: job.reason });
      default:
        this.#move({ progress: Math.min(job.progress ?? 0, 99) });
        return this.#later();
    }
  }
}
