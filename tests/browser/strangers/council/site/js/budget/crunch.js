let total = 0;
const jobs = {
  load({ text }) {
    const sums = new Map();
    let skipped = 0, reversed = 0;
    const lines = text.trimEnd().split('\n').slice(1);
    lines.forEach((line, i) => {
      const [, area, cents, kind] = line.split(';');
      if (kind === 'internal') skipped++;
      else if (Number.isNaN(Number(cents))) { reversed++; console.warn(`ledger line ${i + 2}: "${cents}" is no amount (${kind}), not counted`); }
      else sums.set(area, (sums.get(area) ?? 0) + Number(cents));
      if (i % 5000 === 0) postMessage({ type: 'progress', percent: Math.round(100 * i / lines.length) });
    });
    total = [...sums.values()].reduce((a, b) => a + b, 0);
    const areas = [...sums].map(([name, cents]) => ({ name, cents, exact: 100 * cents / total })).map((a) => ({ ...a, share: Math.floor(a.exact) }));
    let left = 100 - areas.reduce((n, a) => n + a.share, 0);
    for (const a of [...areas].sort((x, y) => (y.exact % 1) - (x.exact % 1))) if (left-- > 0) a.share++;
    areas.sort((a, b) => b.cents - a.cents);
    postMessage({ type: 'totals', areas, entries: lines.length - skipped - reversed, skipped, reversed });
  },
  forecast({ runs }) {
    const ends = new Float64Array(runs);
    let seed = 20261130;
    const random = () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 2 ** 32; };
    for (let i = 0; i < runs; i++) {
      let v = total / 1e8;
      for (let y = 0; y < 4; y++) v *= 1.005 + random() * 0.04;
      ends[i] = v;
    }
    ends.sort();
    postMessage({ type: 'forecast', low: ends[Math.floor(runs * 0.05)], high: ends[Math.floor(runs * 0.95)], runs });
  },
};
onmessage = ({ data }) => jobs[data.type](data);
