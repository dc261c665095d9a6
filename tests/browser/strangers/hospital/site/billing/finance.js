const FINANCE = 'http://127.0.0.1:@@FINANCE@@';

export class Finance {
  constructor(centre) { this.centre = centre; }

  async tariffs() {
    return (await fetch(`${FINANCE}/tariffs`)).json();
  }

  async invoices(number) {
    const answer = await fetch(`${FINANCE}/invoices?case=${encodeURIComponent(number)}`, {
      headers: { 'Content-Type': 'application/json', 'X-Cost-Centre': this.centre },
    });
    return answer.json();
  }
}
