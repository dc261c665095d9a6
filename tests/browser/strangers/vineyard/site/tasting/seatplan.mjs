const ROWS = ["A", "B", "C", "D"];

export function layout(count) {
  const perRow = Math.ceil(count / ROWS.length);
  return ROWS.flatMap((row) => Array.from({ length: perRow }, (_, i) => `${row}${i + 1}`)).slice(0, count);
}
