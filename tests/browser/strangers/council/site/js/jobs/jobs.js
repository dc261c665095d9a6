export async function jobs(box, t) {
  const { vacancies, generated } = await fetch('/api/jobs').then((a) => a.json());
  const open = vacancies.filter((v) => v.until >= generated);
  const closed = vacancies.length - open.length;
  const pay = ({ pay }) => pay ? t('pay.range', { from: pay.from.toLocaleString('en'), to: pay.to.toLocaleString('en') }) : t('pay.none');
  const card = (v) => {
    const el = document.createElement('div');
    el.className = 'card';
    const h = document.createElement('b');
    h.textContent = v.title;
    const contract = t(`contract.${v.contract}`, { fallback: v.contract });
    el.append(h, ` · ${contract} · ${pay(v)} · ${v.hours ?? 39} h/week`);
    return el;
  };
  const foot = document.createElement('p');
  foot.className = 'muted';
  foot.textContent = t('count', { open: open.length, closed });
  box.replaceChildren(...open.map(card), foot);
}
