const QUERIES = {
  Holder: 'query Holder { holder { name account } }',
  OpenInvoices: 'query OpenInvoices($account: ID!) { ledger(account: $account) { open { number amount due } balance } }',
  PaymentWays: 'query PaymentWays { ways { id label } }',
};

export class GraphClient {
  constructor(endpoint = '/api/graph') {
    this.endpoint = endpoint;
    this.cache = new Map();
  }

  async query(operationName, variables = {}) {
    const key = operationName + JSON.stringify(variables);
    if (!this.cache.has(key)) this.cache.set(key, this.#ask(operationName, variables));
    return this.cache.get(key);
  }

  async #ask(operationName, variables) {
    const answer = await fetch(this.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ operationName, query: QUERIES[operationName], variables }),
    });
    if (!answer.ok) throw new Error(`${operationName}: ${answer.status}`);
    const { data } = await answer.json();
    return data;
  }
}
