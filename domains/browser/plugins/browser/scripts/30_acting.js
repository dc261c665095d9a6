/* Where to press, what stands in the way, and whether the press came where it was meant. */
machina => {
  const { document, bare, clean, visible, enabled, describe, fieldsOf } = machina;
  const frame = () => new Promise(done => {
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => { clearTimeout(timer); done(); });
  });

  /* Of frames within the page: where their inside begins. */
  const offsetOf = element => {
    let x = 0, y = 0;
    for (let view = bare(bare(element).ownerDocument).defaultView; view && view !== window; view = view.parent) {
      const box = view.frameElement.getBoundingClientRect();
      x += box.x + view.frameElement.clientLeft;
      y += box.y + view.frameElement.clientTop;
    }
    return { x, y };
  };
  const boxOf = element => {
    const one = bare(element), box = one.getClientRects()[0] || one.getBoundingClientRect(), add = offsetOf(element);
    return { x: box.x + add.x, y: box.y + add.y, width: box.width, height: box.height };
  };
  const within = (inner, outer) => {
    for (let at = inner; at; at = bare(at).parentNode || at.host)
      if (at === outer)
        return true;
    return false;
  };
  const topAt = (x, y) => {
    let root = document, found = null;
    for (let depth = 0; depth < 20; depth++) {
      const hit = root.elementFromPoint(x, y);
      if (!hit || hit === found)
        return found;
      found = hit;
      if (hit.shadowRoot) {
        root = hit.shadowRoot;
      } else if (hit.tagName === 'IFRAME' || hit.tagName === 'FRAME') {
        let inside = null;
        try { inside = bare(hit.contentDocument); } catch { /* of another origin */ }
        if (!inside)
          return hit;
        const box = hit.getBoundingClientRect();
        x -= box.x + hit.clientLeft;
        y -= box.y + hit.clientTop;
        root = inside;
      } else
        return hit;
    }
    return found;
  };
  /* A press on the label of a field is one on the field. */
  const meant = (hit, element) => within(hit, element) || (bare(hit).closest?.('label')?.control === element) ||
    (element.tagName === 'LABEL' && element.control === hit);
  /* What holds a button means something else than the button, and nobody was asked about that. */
  const another = (hit, element) => {
    for (let at = hit; at && at !== element && within(at, element); at = bare(at).parentNode || at.host)
      if (bare(at).nodeType === 1 && machina.interactive(at) && machina.deedOf(at) !== machina.deedOf(element))
        return at;
    return null;
  };

  const coveredBy = (hit, element) => {
    let cover = hit;
    /* The outermost that does not hold the element itself says more than a span within it. */
    for (let above = bare(cover).parentElement; above && !within(element, above) && above !== document.body; above = bare(cover).parentElement)
      cover = above;
    return machina.selectorOf(cover.id || !hit.id ? cover : hit);
  };

  machina.check = (element, mark) => {
    machina.stillMeans(element, mark);
    if (!visible(element))
      throw `${describe(element)} is not visible`;
    if (!enabled(element))
      throw `${describe(element)} is disabled`;
  };

  /* The middle of the element, in view and at rest, with nothing over it. */
  machina.aim = async (wanted, mark, covered) => {
    const element = machina.resolve(wanted);
    machina.check(element, mark);
    bare(element).scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    let before = null, box = boxOf(element);
    for (let i = 0; i < 20 && (!before || before.x !== box.x || before.y !== box.y); i++) {
      await frame();
      before = box;
      box = boxOf(element);
    }
    if (before.x !== box.x || before.y !== box.y)
      throw `${describe(element)} does not come to rest: it still moves`;
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight)
      throw `${describe(element)} cannot be scrolled into view`;
    const hit = topAt(x, y);
    if (!covered && (!hit || !meant(hit, element)))
      throw `${describe(element)} is covered by ${hit ? coveredBy(hit, element) : 'something'}`;
    const inner = !covered && another(hit, element);
    if (inner)
      throw `${describe(element)} has ${describe(inner)} in its middle: if that is meant, say its ref, ${machina.refFor(inner)}`;
    return { x, y, ref: machina.refFor(element), what: describe(element) };
  };
  machina.aimDrop = (wanted, mark) => {
    machina.stillTakes(machina.resolve(wanted), mark);
    return machina.aim(wanted, null);
  };
  /* Right before what is dragged is let go: the page has had the mouse over it since. */
  machina.dropStill = (wanted, mark, x, y) => {
    const element = machina.resolve(wanted), hit = topAt(x, y);
    machina.stillTakes(element, mark);
    if (!hit || !meant(hit, element))
      throw `it would have been dropped on ${hit ? describe(hit) : 'nothing'}, and was taken back`;
    return true;
  };

  /* From here on a press counts only on this element, and only while it means what it meant: the
   * page may move or change it at the last moment. */
  let guard = null;
  const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'keydown'];
  const watch = event => {
    if (!guard || !event.isTrusted)
      return;
    const hit = event.composedPath()[0];
    let why = '';
    if (!machina.connected(guard.element)) { /* rendered anew since */
      guard.renewed = true;
      try { guard.element = machina.resolve({ ref: guard.ref }); } catch { /* gone: then it is not hit either */ }
    }
    if (!hit || hit.nodeType !== 1 || !meant(hit, guard.element))
      why = `the press would have come to ${hit && hit.nodeType === 1 ? describe(hit) : 'nothing'}, it was stopped`;
    else if (event.type !== 'keydown' && another(hit, guard.element))
      why = `the press would have come to ${describe(another(hit, guard.element))}, it was stopped`;
    else if (['pointerdown', 'click', 'keydown'].includes(event.type)) {
      try { machina.stillMeans(guard.element, guard.mark); } catch (error) { why = error; }
      if (!why && event.type === 'pointerdown')
        guard.mark = guard.mark && machina.markOf(guard.element);
    }
    /* A page may put something else under the mouse after the press: that is its own affair once
     * the press is over, but a click is never passed on to what nobody consented to. */
    if (why) {
      guard.why = guard.why || why;
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      guard.hit = true;
      guard.clicked = guard.clicked || event.type === 'click';
    }
  };
  /* With a place, what lies there now is looked at once more: a frame of another origin that was put
   * under the mouse would have the press, and nobody here would hear of it. */
  machina.guard = (wanted, mark, x, y) => {
    machina.unguard();
    const element = machina.resolve(wanted), hit = x === undefined ? element : topAt(x, y);
    if (!hit || !meant(hit, element))
      throw `the press would have come to ${hit ? describe(hit) : 'nothing'}, it was stopped`;
    const views = [...new Set([window, bare(bare(element).ownerDocument).defaultView])];
    guard = { element, ref: machina.refFor(element), mark, why: '', hit: false, clicked: false, renewed: false, views };
    for (const view of views)
      for (const name of EVENTS)
        view.addEventListener(name, watch, { capture: true });
    return true;
  };
  machina.unguard = () => {
    const ended = guard;
    guard = null;
    for (const view of ended ? ended.views : [])
      for (const name of EVENTS)
        view.removeEventListener(name, watch, { capture: true });
    /* Between press and release it was rendered anew: then there was no click, and it may be tried again. */
    const again = !!ended && !ended.why && !ended.clicked && (ended.renewed || !machina.connected(ended.element));
    return ended ? { hit: ended.hit, why: ended.why, again } : { hit: true, why: '', again: false };
  };

  const fire = (element, ...names) => {
    for (const name of names)
      element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  };
  const editable = element => {
    if (element.readOnly)
      throw `${describe(element)} is read-only`;
    const tag = element.tagName;
    const typed = tag === 'TEXTAREA' || element.isContentEditable || (tag === 'INPUT' &&
      !['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden'].includes(element.type));
    if (!typed)
      throw `nothing can be typed into ${describe(element)}`;
  };
  /* Ready to be typed into, with all of its text selected if `all`. "set" where keys do not help
   * (a date, a colour): the value is set then as the browser's own picker would. */
  machina.focusOn = (wanted, mark, all) => {
    const element = machina.resolve(wanted);
    machina.check(element, mark);
    editable(element);
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    element.focus();
    if (bare(element.getRootNode()).activeElement !== element)
      throw `${describe(element)} does not take the focus`;
    if (['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range'].includes(element.type))
      return 'set';
    if (all && element.select)
      element.select();
    else if (all && element.isContentEditable)
      element.ownerDocument.getSelection().selectAllChildren(element);
    return element.tagName === 'INPUT' ? 'line' : 'lines';
  };
  machina.focus = (wanted, mark) => {
    const element = machina.resolve(wanted), one = bare(element);
    machina.check(element, mark);
    one.scrollIntoView({ block: 'center', behavior: 'instant' });
    one.focus();
    return { what: describe(element), focused: bare(one.getRootNode()).activeElement === element };
  };
  /* A key goes to what has the focus: what does not take it would have something else pressed. */
  machina.focusForKey = (wanted, mark) => {
    if (!machina.focus(wanted, mark).focused)
      throw `${describe(machina.resolve(wanted))} does not take the focus: the key would go to something else`;
    return { ref: machina.refFor(machina.resolve(wanted)) };
  };
  machina.setValue = (wanted, value) => {
    const element = machina.resolve(wanted);
    const proto = element.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(proto.prototype, 'value').set.call(element, value);
    if (value !== '' && element.value === '')
      throw `"${clean(value, 60)}" is no value for ${describe(element)} (${element.type})`;
    fire(element, 'input', 'change');
    return true;
  };
  machina.valueOf = wanted => {
    const element = machina.resolve(wanted);
    /* What it is for nobody to read. */
    if (element.type === 'password')
      return '(hidden)';
    return element.isContentEditable ? element.innerText : element.value;
  };
  machina.changed = wanted => { fire(machina.resolve(wanted), 'change'); return true; };

  machina.select = (wanted, mark, choices) => {
    const element = machina.resolve(wanted);
    machina.check(element, mark);
    if (element.tagName !== 'SELECT')
      throw `${describe(element)} is no list to select from: click it and its option`;
    const options = [...element.options];
    const chosen = choices.map(choice => {
      const option = options.find(one => clean(one.label) === choice) || options.find(one => one.value === choice);
      if (!option || option.disabled)
        throw `"${clean(choice, 60)}" is no option of ${describe(element)}; there are: ` +
          options.slice(0, 20).map(one => clean(one.label, 40)).join(', ');
      return option;
    });
    if (chosen.length > 1 && !element.multiple)
      throw `${describe(element)} takes one option only`;
    for (const option of options)
      option.selected = chosen.includes(option);
    fire(element, 'input', 'change');
    return { what: describe(element), selected: chosen.map(option => clean(option.label)) };
  };
  machina.checked = wanted => {
    const element = machina.resolve(wanted);
    const said = element.getAttribute('aria-checked');
    if (element.type !== 'checkbox' && element.type !== 'radio' && said === null)
      throw `${describe(element)} is nothing to check`;
    return said !== null ? said === 'true' : element.checked;
  };

  machina.fileField = (wanted, mark) => {
    const element = machina.resolve(wanted);
    machina.stillMeans(element, mark);
    if (element.tagName !== 'INPUT' || element.type !== 'file')
      throw `${describe(element)} takes no files`;
    if (!enabled(element))
      throw `${describe(element)} is disabled`;
    const token = 'm' + crypto.getRandomValues(new Uint32Array(2)).join('');
    element.setAttribute('data-machina-file', token);
    return token;
  };
  machina.fileDone = wanted => {
    const element = machina.resolve(wanted);
    element.removeAttribute('data-machina-file');
    return [...element.files].map(file => clean(file.name));
  };
  machina.scroll = (wanted, dx, dy) => {
    const element = wanted.ref || wanted.role || wanted.name || wanted.text || wanted.label || wanted.selector ?
      machina.resolve(wanted) : null;
    if (element && !dx && !dy) {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    } else {
      let box = element;
      while (box && box !== document.body && box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth)
        box = box.parentElement;
      const at = box && box !== document.body ? box : document.scrollingElement;
      at.scrollBy({ left: dx, top: dy, behavior: 'instant' });
    }
    const page = document.scrollingElement;
    return { y: Math.round(page.scrollTop), height: page.scrollHeight, view: innerHeight };
  };

  /* ---- forms ---- */

  /* A value as its field takes it; or why it takes none such. */
  const YES = ['true', 'on', 'yes', '1'], NO = ['false', 'off', 'no', '0', ''];
  const valueFor = (field, those, value) => {
    const named = clean(field.name || field.id || machina.nameOf(field), 60), text = String(value), word = text.toLowerCase();
    if (field.type === 'radio' && those.length > 1 && field.value !== text && machina.nameOf(field) !== text)
      return { problem: `"${named}" takes one of ${those.slice(0, 15).map(one => clean(one.value, 40)).join(', ')}, not "${clean(text, 40)}"` };
    if (field.type === 'radio')
      return { value: NO.includes(word) && field.value !== text ? 'false' : 'true' };
    if (field.type === 'checkbox' && !YES.includes(word) && !NO.includes(word) && field.value !== text)
      return { problem: `the box "${named}" takes true or false (yes or no), not "${clean(text, 40)}"` };
    if (field.type === 'checkbox')
      return { value: YES.includes(word) || (field.value === text && text !== '') ? 'true' : 'false' };
    return typeof value === 'string' || typeof value === 'number' ? { value: text } :
      { problem: `the field "${named}" takes a text, not ${value === null ? 'null' : typeof value === 'object' ? 'a list or an object' : text}` };
  };
  /* How each value goes into its field; nothing is done before all are known to be good. */
  machina.planForm = (id, values, mark) => {
    const form = machina.theForm(id);
    if (mark && machina.markOfForm(form) !== mark)
      throw 'the form is not what it was when it was looked at: look again';
    const fields = fieldsOf(form).filter(field => !['submit', 'button', 'reset', 'image', 'hidden', 'fieldset'].includes(field.type));
    const problems = [], steps = [], said = new Set();
    for (const [key, value] of Object.entries(values)) {
      const named = fields.filter(field => field.name === key || field.id === key);
      const those = named.length ? named : fields.filter(field => machina.nameOf(field) === key);
      const fit = those.find(one => one.type === 'radio' && (one.value === value || machina.nameOf(one) === value)), field = fit || those[0];
      const taken = field ? valueFor(field, those, value) : {};
      those.forEach(one => said.add(one));
      if (!field)
        problems.push(`the form has no field "${clean(key, 60)}"; it has: ` +
          [...new Set(fields.map(one => clean(one.name || one.id || machina.nameOf(one), 40)))].slice(0, 15).join(', '));
      else if (field.disabled || field.readOnly)
        problems.push(`the field "${clean(key, 60)}" is disabled`);
      else if (field.type === 'file')
        problems.push(`the field "${clean(key, 60)}" takes a file: upload_file gives it one`);
      else if (taken.problem)
        problems.push(taken.problem);
      else
        steps.push({ ref: machina.refFor(field), value: taken.value, how: field.tagName === 'SELECT' ? 'select' :
          field.type === 'checkbox' || field.type === 'radio' ? 'check' : 'fill', secret: field.type === 'password' ||
          /^cc-/.test(field.autocomplete), name: clean(field.name || field.id || key, 80), mark: machina.markOf(field) });
    }
    for (const field of fields)
      if (field.required && !said.has(field) && (field.type === 'checkbox' ? !field.checked : field.type === 'radio' ?
          !fields.some(one => one.name === field.name && one.checked) : field.value === ''))
        problems.push(`the field "${clean(field.name || field.id, 60)}" is required`);
    if (problems.length)
      throw [...new Set(problems)].join('; ');
    const first = machina.submitterOf(form), button = first && enabled(first) ? first : null;
    return { form: machina.refFor(form), steps, submit: button ? machina.refFor(button) : '', submit_mark: button ? machina.markOf(button) : '' };
  };
  machina.formStill = (id, values, mark) => machina.planForm(id, values, mark);
  machina.invalid = id => fieldsOf(machina.theForm(id)).filter(field => field.willValidate && !field.validity.valid)
    .slice(0, 20).map(field => ({ field: clean(field.name || field.id, 80), message: clean(field.validationMessage, 120) }));
  /* The form that asks for a password, and the field before it that asks who one is. */
  machina.signInForm = () => {
    const forms = machina.formsOf().map((form, i) => ({ form, fields: fieldsOf(form).filter(visible), i }))
      .filter(one => one.fields.some(field => field.type === 'password'));
    if (forms.length !== 1)
      throw forms.length ? 'the page has several forms that ask for a password' : 'the page asks for no password';
    const { form, fields, i } = forms[0], at = fields.findIndex(field => field.type === 'password');
    if (fields.filter(field => field.type === 'password').length > 1)
      throw 'the form asks for a new password: nobody signs in with it';
    const named = fields.find(field => /\busername\b|\bemail\b/.test(field.autocomplete || ''));
    const user = named || fields.slice(0, at).reverse().find(field => ['text', 'email', 'tel'].includes(field.type));
    const nameFor = field => field ? clean(field.name || field.id || machina.nameOf(field), 80) : '';
    return { form: machina.readForms()[i].id, user: nameFor(user), password: nameFor(fields[at]), page: location.origin,
      origin: machina.formMeaning(form).origin };
  };
  machina.asksPassword = () => machina.formsOf().some(form => fieldsOf(form).some(field =>
    field.type === 'password' && visible(field)));
  machina.submit = (id, mark) => {
    const form = machina.theForm(id);
    if (mark && machina.markOfForm(form) !== mark)
      throw 'the form is not what it was when it was looked at: look again';
    bare(form).requestSubmit();
    return true;
  };
}
