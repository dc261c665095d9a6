const lines = [];
export const log = {
  info(...what) { lines.push(['info', ...what]); },
  note(...what) { lines.push(['note', ...what]); if (lines.length > 200) lines.shift(); },
  warn(...what) { lines.push(['warn', ...what]); console.warn('[theatre]', ...what); },
  lines,
};
