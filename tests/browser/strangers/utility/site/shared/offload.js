/** Runs a pure function beside the page: offload(fn, data) → a promise of what it returns. */
export function offload(work, data) {
  const source = `const work = ${work}; onmessage = (e) => postMessage(work(e.data));`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  return new Promise((resolve) => {
    worker.addEventListener("message", (event) => {
      resolve(event.data);
      worker.terminate();
      URL.revokeObjectURL(address);
    });
    worker.postMessage(data);
  });
}
