const show = (id, ...nodes) => document.getElementById(id).replaceChildren(...nodes);
const p = (text, cls = '') => Object.assign(document.createElement('p'), { textContent: text, className: cls });

async function open() {
  const { items, next_starts: next } = await (await fetch('/api/consultations?state=open')).json();
  if (items.length === 0) {
    const when = next && new Date(next).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'Europe/Berlin' });
    return show('open', p(`No consultation is open at the moment.${when ? ` The next one begins on ${when}.` : ''}`, 'card'));
  }
  show('open', ...items.map((i) => p(i.title, 'card')));
}

async function extras() {
  const extra = [];
  if (await isOn('consultation_comments')) extra.push(p('Comments are open.'));
  else console.info('feature consultation_comments is off');
  const answer = await fetch('/api/consultations/archive/2026');
  if (answer.ok) extra.push(p(`Archive: ${(await answer.json()).count} results`));
  show('extra', ...extra);
}
Promise.allSettled([open(), extras()]).then((all) => all.filter((r) => r.reason).forEach((r) => { console.error(r.reason); show('open', p('Consultations cannot be loaded now.', 'alert')); }));
