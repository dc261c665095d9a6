/** The outline of an act's preview, two hundred points a second. */
export function peaksOf({ seconds, seed }) {
  const points = new Array(seconds * 200);
  let x = seed;
  for (let i = 0; i < points.length; i++) {
    x = (x * 16807) % 2147483647;
    points[i] = Math.round((x / 2147483647) * 1e6) / 1e6;
  }
  return points;
}
