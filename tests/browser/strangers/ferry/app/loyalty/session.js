export class Session {
  token = null;

  async refresh() {
    const answer = await fetch("/api/session/refresh", { method: "POST", credentials: "omit" });
    if (answer.ok) this.token = (await answer.json()).token;
    return this;
  }

  headers() { return this.token ? { Authorization: `Bearer ${this.token}` } : {}; }
}
