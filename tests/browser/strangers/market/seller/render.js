function job() {
  self.onmessage = ({ data }) => {
    const text = data.markup.replace(/\*\*(.+?)\*\*/g, '$1');
    self.postMessage({ title: data.title, text, price: (data.cents / 100).toFixed(2) });
  };
}

export function renderer() {
  const source = new Blob([`(${job})()`], { type: 'text/javascript' });
  const address = URL.createObjectURL(source);
  const worker = new Worker(address);
  return (listing) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(listing);
  });
}
