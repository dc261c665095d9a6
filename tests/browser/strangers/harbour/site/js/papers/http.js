export const decoders = [
  [/^application\/(.+\+)?json/, (answer) => answer.json()],
  [/^text\//, (answer) => answer.text()],
  [/./, (answer) => answer.blob()],
];

export function makeFetcher(base) {
  const decode = (answer) => {
    const kind = answer.headers.get('Content-Type') ?? 'application/octet-stream';
    return decoders.find(([pattern]) => pattern.test(kind))[1](answer);
  };
  return async function request(path) {
    const answer = await fetch(base + path, { headers: { Accept: 'application/json' } });
    if (!answer.ok) throw Object.assign(new Error(path), { status: answer.status });
    return decode(answer);
  };
}
