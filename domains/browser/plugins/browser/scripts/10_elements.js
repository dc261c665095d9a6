/* What elements there are, what they are called, and refs for them that survive re-rendering.
 * Runs in a world of its own: the page sees none of this, and what it replaces in its own world
 * (querySelector, JSON, Map) is not what is called here. Everything it returns is data of the page:
 * cut, and without characters that hide something. */
machina => {
  const NODES_MOST = 20000, NAME_MOST = 100;
  const refs = new Map(); /* ref -> { element, role, name, place } */
  const refOf = new WeakMap();
  let next = 1;

  /* Forms have their fields for members, and documents their forms and pictures: one that is called
   * "elements" or "id" hides that member, in this world, too. This is the same object without them. */
  const BARE = { get: (node, name) => {
    const value = Reflect.get(Object.getPrototypeOf(node), name, node);
    return typeof value === 'function' ? value.bind(node) : value;
  } };
  const NAMED = ['HTMLFormElement', 'HTMLDocument', 'Document'];
  const bared = new WeakSet();
  const bare = node => {
    if (!node || bared.has(node) || !NAMED.includes(Object.getPrototypeOf(node)[Symbol.toStringTag]))
      return node;
    const view = new Proxy(node, BARE);
    bared.add(view);
    return view;
  };
  const document = bare(globalThis.document);

  /* Control characters, and those that are invisible or turn text around, would let a page show a
   * person other words than a program reads. */
  const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|\udb40[\udc00-\udfff]/g;
  const clean = (text, most = NAME_MOST) => {
    const flat = String(text == null ? '' : text).slice(0, most * 8).replace(/\s+/g, ' ')
      .replace(HIDDEN, '').trim();
    return flat.length > most ? flat.slice(0, most - 1).toWellFormed() + '\u2026' : flat.toWellFormed();
  };

  /* Every element, in order, through open shadow roots and frames of the same origin. */
  function* walk(root) {
    const stack = [root];
    for (let count = 0; stack.length > 0 && count < NODES_MOST; count++) {
      const element = stack.pop(), node = bare(element);
      if (node.nodeType === 1)
        yield element;
      const below = [];
      if (node.tagName === 'IFRAME' || node.tagName === 'FRAME') {
        let inside = null;
        try { inside = bare(node.contentDocument); } catch { /* of another origin */ }
        if (inside && inside.documentElement)
          below.push(inside.documentElement);
      }
      if (node.shadowRoot)
        below.push(...node.shadowRoot.children);
      below.push(...(node.children || []));
      for (let i = below.length - 1; i >= 0; i--)
        stack.push(below[i]);
    }
  }

  const connected = element => {
    for (let at = bare(element); at;) {
      if (!at.isConnected)
        return false;
      const view = bare(at.ownerDocument).defaultView;
      if (!view)
        return false;
      if (view === globalThis.window)
        return true;
      at = view.frameElement;
    }
    return false;
  };

  const visible = one => {
    const element = bare(one);
    if (!element.checkVisibility({ checkVisibilityCSS: true }))
      return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };
  const enabled = one => {
    const element = bare(one);
    return !element.matches(':disabled') && !element.closest('[inert]') && element.closest('[aria-disabled=true]') === null;
  };

  const INPUT_ROLES = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox',
    radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', file: 'file', hidden: '' };
  const TAG_ROLES = { BUTTON: 'button', TEXTAREA: 'textbox', SUMMARY: 'button', OPTION: 'option', IMG: 'img',
    TABLE: 'table', TR: 'row', TH: 'columnheader', TD: 'cell', UL: 'list', OL: 'list', LI: 'listitem',
    FORM: 'form', DIALOG: 'dialog', NAV: 'navigation', MAIN: 'main', ARTICLE: 'article', LABEL: 'label',
    H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', P: 'paragraph',
    PROGRESS: 'progressbar', METER: 'meter' };
  const roleOf = one => {
    const element = bare(one);
    const given = (element.getAttribute('role') || '').trim().split(/\s+/)[0];
    if (given && given !== 'presentation' && given !== 'none')
      return clean(given.toLowerCase(), 30);
    if (element.tagName === 'A' || element.tagName === 'AREA')
      return element.hasAttribute('href') ? 'link' : 'generic';
    if (element.tagName === 'INPUT')
      return INPUT_ROLES[element.type] ?? 'textbox';
    if (element.tagName === 'SELECT')
      return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    if (element.isContentEditable)
      return 'textbox';
    return TAG_ROLES[element.tagName] || 'generic';
  };

  const textOf = one => {
    const element = bare(one);
    return clean(element.innerText ?? element.textContent, NAME_MOST);
  };
  const byIds = (element, attribute) => {
    const ids = (element.getAttribute(attribute) || '').split(/\s+/).filter(Boolean).slice(0, 8);
    const root = bare(element.getRootNode());
    return ids.map(id => root.getElementById?.(id)).filter(Boolean).map(textOf).join(' ');
  };
  const labelOf = element => {
    const labels = element.labels ? [...element.labels] : [];
    return clean(labels.map(label => {
      const copy = label.cloneNode(true);
      for (const field of copy.querySelectorAll('input,select,textarea,button'))
        field.remove();
      return copy.textContent;
    }).join(' '));
  };
  /* The name by which a person and a screen reader know it, after the order of accname. */
  const nameOf = one => {
    const element = bare(one);
    const said = clean(byIds(element, 'aria-labelledby') || element.getAttribute('aria-label'));
    if (said)
      return said;
    const tag = element.tagName;
    if (tag === 'INPUT' && ['submit', 'reset', 'button'].includes(element.type))
      return clean(element.value || { submit: 'Submit', reset: 'Reset', button: '' }[element.type]);
    if (tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA')
      return labelOf(element) || clean(element.alt || element.title || element.placeholder || element.name);
    if (tag === 'IMG')
      return clean(element.alt || element.title);
    if (tag === 'FORM' || tag === 'TABLE')
      return clean(element.caption?.textContent || element.getAttribute('name') || element.id || element.title);
    const inside = [...element.querySelectorAll('img[alt],svg title')].slice(0, 4)
      .map(image => image.getAttribute('alt') || image.textContent).join(' ');
    return clean(textOf(element) || inside || element.title);
  };

  /* The row, item or dialog that it stands in: two buttons of one name are told apart by it. */
  const placeOf = element => {
    const box = bare(bare(element).parentElement)?.closest(
      'tr,li,[role=row],[role=listitem],article,[role=dialog],dialog,fieldset,form,section[aria-label]');
    return box ? clean(bare(box).innerText, 60) : '';
  };
  const selectorOf = one => {
    const element = bare(one);
    const tag = element.tagName.toLowerCase();
    if (element.id)
      return tag + '#' + clean(CSS.escape(element.id), 80);
    const name = element.getAttribute('name');
    if (name)
      return tag + '[name=' + JSON.stringify(clean(name, 80)) + ']';
    const first = [...element.classList].slice(0, 2).map(one => '.' + clean(CSS.escape(one), 40)).join('');
    return tag + first;
  };

  const INTERACTIVE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],' +
    '[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=checkbox],[role=radio],' +
    '[role=switch],[role=option],[role=combobox],[role=textbox],[role=searchbox],[role=slider],[role=treeitem],' +
    '[contenteditable=""],[contenteditable=true],[onclick],[tabindex]:not([tabindex="-1"])';
  const interactive = element => bare(element).matches(INTERACTIVE);

  const refFor = element => {
    let ref = refOf.get(element);
    if (!ref) {
      ref = 'e' + next++;
      refOf.set(element, ref);
    }
    refs.set(ref, { element: new WeakRef(element), role: roleOf(element), name: nameOf(element),
      place: placeOf(element), tag: bare(element).tagName });
    if (refs.size > 5000)
      refs.delete(refs.keys().next().value);
    return ref;
  };

  /* The element behind a ref. One that was rendered anew is found by what it was: the same tag,
   * role and name, and of several the one in the same place. Nothing else is taken for it. */
  const byRef = ref => {
    const known = refs.get(ref);
    if (!known)
      throw `there is no element "${ref}" on this page: find_elements tells which there are`;
    const same = known.element.deref();
    if (same && connected(same))
      return same;
    const alike = [];
    for (const element of walk(document.documentElement))
      if (bare(element).tagName === known.tag && roleOf(element) === known.role && nameOf(element) === known.name)
        alike.push(element);
    const there = alike.length > 1 ? alike.filter(element => placeOf(element) === known.place) : alike;
    if (there.length !== 1)
      throw `"${ref}" (${known.role} "${known.name}") is no longer on the page` +
        (there.length > 1 ? `, and ${there.length} are like it` : '') + ': find_elements tells which there are';
    refOf.set(there[0], ref);
    known.element = new WeakRef(there[0]);
    return there[0];
  };

  const lower = text => (text || '').toLowerCase();
  const describe = element => `${roleOf(element)} "${nameOf(element)}"`;

  /* By role, name, text, label or selector. A whole name is worth more than a part of one, what is
   * seen more than what is hidden. */
  const search = wanted => {
    const name = lower(wanted.name || wanted.text || wanted.label);
    const found = [];
    for (const one of walk(document.documentElement)) {
      const element = bare(one);
      if (wanted.selector) {
        if (!element.matches(wanted.selector))
          continue;
      } else if (!wanted.role && !interactive(element) && !wanted.text)
        continue;
      if (wanted.role && roleOf(element) !== lower(wanted.role) && lower(element.tagName) !== lower(wanted.role))
        continue;
      let rank = 0;
      if (name) {
        const own = lower(wanted.label ? labelOf(element) || nameOf(element) : nameOf(element));
        if (!own.includes(name))
          continue;
        rank = own === name ? 2 : 0;
        if (wanted.text && !interactive(element) && [...element.children].some(below => lower(nameOf(below)).includes(name)))
          continue;
      }
      found.push({ element: one, rank: rank + (visible(element) ? 4 : 0) + (interactive(element) ? 1 : 0) });
    }
    return found;
  };

  const byWords = wanted => {
    const found = search(wanted);
    const said = ['role', 'name', 'text', 'label', 'selector'].filter(key => wanted[key])
      .map(key => `${key} "${clean(wanted[key], 60)}"`).join(' and ');
    if (!said)
      throw 'say which element: by its ref, or by role, name, text, label or selector';
    if (found.length === 0) {
      const others = [];
      for (const element of walk(document.documentElement))
        if (interactive(element) && visible(element) && others.length < 8 &&
            (!wanted.role || roleOf(element) === lower(wanted.role)))
          others.push(describe(element));
      throw `no element has ${said}; there are: ${others.join(', ') || 'none that one can act upon'}`;
    }
    const best = Math.max(...found.map(one => one.rank));
    const those = found.filter(one => one.rank === best);
    if (Number.isInteger(wanted.nth)) {
      if (!those[wanted.nth - 1])
        throw `${those.length} elements have ${said}: there is no number ${wanted.nth}`;
      return those[wanted.nth - 1].element;
    }
    if (those.length > 1)
      throw `${those.length} elements have ${said}: ` + those.slice(0, 5).map(one =>
        `${refFor(one.element)} ${describe(one.element)}` +
        (placeOf(one.element) ? ` in "${clean(placeOf(one.element), 30)}"` : '')).join(', ') + '; say which by its ref';
    return those[0].element;
  };

  Object.assign(machina, { document, bare, clean, walk, visible, enabled, roleOf, nameOf, labelOf, placeOf, selectorOf, interactive,
    refFor, search, describe, lower, connected,
    resolve: wanted => {
      if (wanted.focused) {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement)
          at = at.shadowRoot.activeElement;
        return at || document.body;
      }
      return wanted.ref ? byRef(wanted.ref) : byWords(wanted);
    },
    /* Numbers of refs are never used twice, over pages neither: the plugin says where to go on. */
    begin: from => { next = Math.max(next, from); return next; },
    reached: () => next });
}
