/** Runs a function in a worker, so that the page stays smooth. */
export class WorkerPool {
  #waiting = new Map();
  #serial = 0;

  constructor(task) {
    const source = `const task = ${task}; onmessage = ({ data }) => postMessage({ id: data.id, result: task(data.input) });`;
    this.url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.worker = new Worker(this.url);
    this.worker.addEventListener('message', ({ data }) => this.#settle(data));
    this.worker.addEventListener('error', (event) => event.preventDefault());
  }

  run(input) {
    const id = ++this.#serial;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.worker.postMessage({ id, input });
    });
  }

  #settle({ id, result }) {
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
  }
}
