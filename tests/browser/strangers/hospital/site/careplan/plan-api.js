const PATH = '/api/careplans/P-20931';

export class PlanApi {
  #tag = null;

  async load() {
    const answer = await fetch(PATH);
    this.#tag = answer.headers.get('ETag');
    return answer.json();
  }

  async save(text) {
    const answer = await fetch(PATH, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'If-Match': this.#tag },
      body: JSON.stringify({ text }),
    });
    if (answer.status === 412) return 'changed';
    return answer.ok ? 'saved' : 'failed';
  }
}
