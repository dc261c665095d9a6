export class Ledger {
  constructor(graph) {
    this.graph = graph;
  }

  async forHolder() {
    const { holder } = await this.graph.query('Holder');
    const { ledger } = await this.graph.query('OpenInvoices', { account: holder.account });
    return { holder, open: ledger?.open ?? [], balance: ledger?.balance ?? 0 };
  }

  async ways() {
    return (await this.graph.query('PaymentWays')).ways;
  }
}
