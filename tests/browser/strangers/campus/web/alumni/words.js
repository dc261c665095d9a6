export function translator(words) {
  const missing = new Set();
  return (key) => {
    if (key in words) return words[key];
    if (!missing.has(key)) { missing.add(key); console.error(`[words] "${key}" has no word of its own, it is named a subject like all small ones`); }
    return 'one of the small subjects';
  };
}
