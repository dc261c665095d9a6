/* The page as lists: elements, text, tables; and whether what is said of it holds. */
machina => {
  const { document, bare, clean, visible, enabled, roleOf, nameOf, lower } = machina;
  const TEXT_MOST = 20000;

  const brief = element => {
    const one = { ref: machina.refFor(element), role: roleOf(element), name: nameOf(element) };
    if (!visible(element))
      one.hidden = true;
    if (!enabled(element))
      one.disabled = true;
    if (element.type === 'checkbox' || element.type === 'radio')
      one.checked = element.checked;
    else if ((element.tagName === 'INPUT' || element.tagName === 'TEXTAREA') && element.value &&
             !['submit', 'button', 'reset', 'image', 'file', 'password'].includes(element.type))
      one.value = clean(element.value, 60);
    else if (element.tagName === 'SELECT' && element.selectedOptions[0])
      one.value = clean(element.selectedOptions[0].label, 60);
    const expanded = bare(element).getAttribute('aria-expanded');
    if (expanded !== null)
      one.expanded = expanded === 'true';
    return one;
  };

  machina.find = (wanted, limit, hidden) => {
    const found = machina.search(wanted).filter(one => hidden || visible(one.element));
    found.sort((a, b) => b.rank - a.rank);
    const shown = found.slice(0, limit).map(one => brief(one.element));
    const names = new Map();
    for (const one of shown)
      names.set(one.role + one.name, (names.get(one.role + one.name) || 0) + 1);
    shown.forEach((one, i) => {
      if (names.get(one.role + one.name) > 1) {
        const place = machina.placeOf(found[i].element);
        if (place)
          one.in = clean(place, 40);
      }
    });
    return { elements: shown, total: found.length };
  };

  /* As a recording's dom.json has it. */
  machina.dom = () => {
    const elements = [], links = [], headings = [], components = [];
    for (const element of machina.walk(document.documentElement)) {
      if (machina.interactive(element) && elements.length < 400)
        elements.push({ ref: machina.refFor(element), tag: lower(element.tagName), role: roleOf(element), name: nameOf(element),
          selector: machina.selectorOf(element), visible: visible(element), enabled: enabled(element) });
      if (element.tagName === 'A' && element.href && links.length < 400)
        links.push({ text: nameOf(element), href: clean(element.href, 300) });
      if (/^H[1-6]$/.test(element.tagName) && headings.length < 100)
        headings.push({ level: +element.tagName[1], text: clean(element.innerText) });
      if (element.tagName.includes('-') && components.length < 100)
        components.push({ tag: lower(element.tagName), id: clean(element.id, 60), children: element.childElementCount,
          text: clean(element.innerText, 80) });
    }
    return { url: clean(location.href, 600), title: clean(document.title, 200), text: clean(document.body?.innerText, TEXT_MOST),
      headings, elements, links, components, forms: machina.readForms() };
  };

  machina.text = (wanted, most) => {
    const named = Object.keys(wanted).length > 0;
    const element = named ? machina.resolve(wanted) : document.body;
    const whole = String(element?.innerText ?? '');
    const lines = whole.split('\n').map(line => clean(line, 1000)).filter(Boolean).join('\n');
    return { text: lines.slice(0, most).toWellFormed(), cut: lines.length > most, length: lines.length };
  };

  /* ---- tables and lists ---- */

  const tables = () => {
    const all = [];
    for (const element of machina.walk(document.documentElement))
      if (bare(element).tagName === 'TABLE' || ['table', 'grid', 'treegrid'].includes(bare(element).getAttribute('role')))
        all.push(element);
    return all;
  };
  const rowsOf = table => table.tagName === 'TABLE' ? [...table.rows] : [...table.querySelectorAll('[role=row]')];
  const cellsOf = row => row.tagName === 'TR' ? [...row.cells] :
    [...row.querySelectorAll('[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]')];
  const headed = row => { const cells = cellsOf(row); return cells.length > 0 && cells.every(cell => cell.tagName === 'TH' ||
    cell.getAttribute('role') === 'columnheader'); };
  machina.table = (wanted, limit) => {
    const all = tables();
    const table = Object.keys(wanted).length ? machina.resolve(wanted) : all.filter(visible)[0] || all[0];
    if (!table)
      throw 'the page has no table';
    if (!all.includes(table))
      throw `${machina.describe(table)} is no table`;
    const rows = rowsOf(table), head = rows.find(headed);
    const columns = head ? cellsOf(head).map(cell => clean(cell.innerText, 80)) : [];
    const body = rows.filter(row => row !== head && !headed(row) && cellsOf(row).length > 0);
    return { ref: machina.refFor(table), name: nameOf(table), columns,
      rows: body.slice(0, limit).map(row => cellsOf(row).slice(0, 40).map(cell => clean(cell.innerText, 200))),
      total: body.length, tables: all.length };
  };
  /* Things of one kind that follow each other: the items of the longest list, or what a selector names. */
  machina.list = (wanted, limit) => {
    let items = [];
    if (wanted.selector) {
      for (const element of machina.walk(document.documentElement))
        if (bare(element).matches(wanted.selector))
          items.push(element);
    } else {
      const lists = new Map();
      for (const element of machina.walk(document.documentElement))
        if (['listitem', 'article', 'option', 'row'].includes(roleOf(element)) && element.parentNode && visible(element))
          lists.set(element.parentNode, [...(lists.get(element.parentNode) || []), element]);
      const named = Object.keys(wanted).length ? machina.resolve(wanted) : null;
      items = named ? lists.get(named) || [...named.children] :
        [...lists.values()].sort((a, b) => b.length - a.length)[0] || [];
    }
    return { items: items.slice(0, limit).map(item => {
      const link = item.matches('a[href]') ? item : item.querySelector('a[href]');
      const one = { text: clean(item.innerText, 300) };
      if (link)
        one.link = clean(link.getAttribute('href'), 200);
      return one;
    }), total: items.length };
  };

  /* The control that leads to the next page, if it can be pressed. */
  const NEXT = /^(next|next page|more|load more|show more|older|weiter|nächste( seite)?|mehr( laden)?|suivant|page suivante|siguiente|successivo|avanti|próxima?|volgende|następna|далее|次へ|下一页|›|»|→|>)$/i;
  machina.nextPage = () => {
    for (const element of machina.walk(document.documentElement)) {
      if (!bare(element).matches('a,button,[role=button],[role=link]') || !visible(element))
        continue;
      const name = nameOf(element).replace(/\s*[›»→>]+$/, '') || nameOf(element);
      if (element.rel === 'next' || NEXT.test(name) || /\b(next|weiter)\b/i.test(element.getAttribute('aria-label') || ''))
        return { ref: machina.refFor(element), enabled: enabled(element) && !element.closest('.disabled'), mark: machina.markOf(element),
          meaning: machina.meaningOf(element) };
    }
    return null;
  };

  /* ---- what holds ---- */

  const CHECKS = {
    url: value => location.href.includes(value),
    title: value => document.title.includes(value),
    text: value => (document.body?.innerText || '').includes(value),
    no_text: value => !(document.body?.innerText || '').includes(value),
    visible: value => { const found = machina.search(value).filter(one => visible(one.element)); return found.length > 0; },
    hidden: value => machina.search(value).filter(one => visible(one.element)).length === 0,
    enabled: value => enabled(machina.resolve(value)),
    disabled: value => !enabled(machina.resolve(value)),
    checked: value => machina.checked(value),
    unchecked: value => !machina.checked(value),
    value: value => machina.valueOf(value) === value.is,
    count: value => machina.search(value).filter(one => visible(one.element)).length === value.is,
  };
  machina.holds = checks => checks.map(check => {
    const key = Object.keys(CHECKS).find(one => one in check);
    if (!key)
      return { ok: false, why: `a check is one of ${Object.keys(CHECKS).join(', ')}` };
    try {
      const ok = CHECKS[key](check[key]) === true;
      const now = { url: () => location.href, title: () => document.title, value: () => machina.valueOf(check.value),
        count: () => machina.search(check.count).filter(one => visible(one.element)).length }[key];
      return ok ? { ok } : { ok, why: `${key} ${clean(JSON.stringify(check[key]), 120)} does not hold` +
        (now ? `: it is ${clean(now(), 120)}` : '') };
    } catch (error) {
      return { ok: false, why: clean(error, 200) };
    }
  });

  /* Words that find the same element again, in a page that is opened anew. */
  machina.again = wanted => {
    const element = machina.resolve(wanted), by = { role: roleOf(element), name: nameOf(element) };
    const find = words => {
      const found = machina.search(words), best = Math.max(...found.map(one => one.rank));
      return found.filter(one => one.rank === best).map(one => one.element);
    };
    const words = by.name && !by.name.endsWith('\u2026') ? by : { selector: machina.selectorOf(element) };
    const found = find(words), at = found.indexOf(element);
    const secret = element.type === 'password' || /^cc-/.test(element.autocomplete || '');
    const target = at < 0 ? { selector: machina.selectorOf(element) } : found.length > 1 ? { ...words, nth: at + 1 } : words;
    return { target, secret, what: machina.describe(element) };
  };

  /* ---- what the page keeps ---- */

  machina.store = (area, key, value) => {
    const storage = area === 'session' ? sessionStorage : localStorage;
    if (value === null)
      storage.removeItem(key);
    else
      storage.setItem(key, value);
    return { keys: storage.length };
  };
  machina.wipe = area => {
    const storage = area === 'session' ? sessionStorage : localStorage, count = storage.length;
    storage.clear();
    return { removed: count };
  };
  machina.sizeOf = wanted => {
    const element = machina.resolve(wanted);
    bare(element).scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = bare(element).getBoundingClientRect();
    if (box.width === 0 || box.height === 0)
      throw `${machina.describe(element)} is not visible`;
    return { x: box.x + scrollX, y: box.y + scrollY, width: Math.ceil(box.width), height: Math.ceil(box.height) };
  };
  machina.whereabouts = () => ({ url: location.href, title: clean(document.title, 120), ready: document.readyState });
}
