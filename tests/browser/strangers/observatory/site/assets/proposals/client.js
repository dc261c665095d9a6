class ProposalClient {
  constructor(base) {
    this.base = base;
  }

  async request(path, options = {}) {
    const response = await fetch(this.base + path, {
      method: 'GET',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      credentials: 'same-origin',
      ...options,
    });
    const data = await response.json().catch(() => ({}));
    if (response.ok) return data;
    const error = new Error(data.message || response.statusText);
    error.status = response.status;
    error.fields = data.fields || {};
    throw error;
  }

  cycle() {
    return this.request('/cycle');
  }

  saveDraft(proposal) {
    return this.request('/draft', { method: 'PUT', body: JSON.stringify(proposal) });
  }

  submit(proposal, key) {
    return this.request('', {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body: JSON.stringify(proposal),
    });
  }
}
