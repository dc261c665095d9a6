onmessage = ({ data: { n, w } }) => {
  const side = Math.sqrt(n);
  const best = new Float64Array(n).fill(Infinity);
  best[0] = 0;
  for (let round = 0; round < 4 * n; round++) {
    for (let i = 0; i < n; i++) {
      const x = i % side;
      const from = Math.min(x ? best[i - 1] : Infinity, i >= side ? best[i - side] : Infinity, x < side - 1 ? best[i + 1] : Infinity, i + side < n ? best[i + side] : Infinity);
      if (from + w[i] < best[i]) best[i] = from + w[i];
    }
    if (round % 300 === 0) postMessage({ part: round / (4 * n) });
  }
  postMessage({ metres: best[n - 1] * 4 });
};
