function crunch(event) {
  const rows = event.data.studios.map((studio) => ({
    name: studio.name,
    visits: studio.visits.reduce((all, one) => all + one, 0),
    best: Math.max(...studio.visits),
  }));
  postMessage(rows);
}

export function background() {
  const code = `${crunch}; onmessage = crunch;`;
  return new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
}
