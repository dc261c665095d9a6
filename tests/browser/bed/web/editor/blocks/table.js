const cell = (text) => ` ${text} |`;

export function template(columns, rows) {
  const names = Array.from({ length: columns }, (_, n) => cell(`Column ${n + 1}`));
  const line = Array.from({ length: columns }, () => cell('---'));
  const body = Array.from({ length: rows }, () => `|${Array.from({ length: columns }, () => cell(' ')).join('')}`);
  return ['', `|${names.join('')}`, `|${line.join('')}`, ...body, ''].join('\n');
}
