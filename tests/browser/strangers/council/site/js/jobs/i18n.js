async function texts(locale) {
  const answer = await fetch(`/i18n/${locale}.json`);
  if (!answer.ok) { console.warn(`i18n: no texts for ${locale} (${answer.status})`); return null; }
  return answer.json();
}
export async function translator(locale) {
  const chain = [];
  for (let l = locale; l; l = l.includes('-') ? l.slice(0, l.lastIndexOf('-')) : '') {
    const t = await texts(l);
    if (t) chain.push(t);
  }
  if (!locale.startsWith('de')) chain.push(await texts('de'));
  return (key, values = {}) => {
    const i = chain.findIndex((c) => c?.[key] !== undefined);
    if (i < 0) { console.warn(`i18n: missing "${key}"`); return values.fallback ?? key; }
    if (i > 0) console.debug(`i18n: "${key}" from fallback ${i}`);
    return chain[i][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}
