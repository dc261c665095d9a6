/* What an element means: what it is, what it says, where it leads and what its form would send.
 * Measured here, judged by rules. The mark stands for all of it: who consented to one meaning has
 * consented to no other. */
machina => {
  const { document, bare, clean, roleOf, nameOf, labelOf, visible, enabled, lower } = machina;

  /* Words as their language divides them, and two and three of them in a row: "sign in". */
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const singleWords = text => [...segmenter.segment(lower(clean(text, 120)))].filter(part => part.isWordLike)
    .map(part => part.segment).slice(0, 12);
  machina.wordsOf = text => {
    const single = singleWords(text);
    const all = [...single];
    for (let i = 0; i + 1 < single.length; i++) {
      all.push(single[i] + ' ' + single[i + 1]);
      if (i + 2 < single.length)
        all.push(single[i] + ' ' + single[i + 1] + ' ' + single[i + 2]);
    }
    return [...new Set(all)];
  };

  const address = url => {
    try {
      const parts = new URL(url, document.baseURI);
      return { scheme: parts.protocol.slice(0, -1), host: parts.host, hostname: parts.hostname,
        origin: parts.origin, path: clean(parts.pathname, 120) };
    } catch {
      return { scheme: '', host: '', hostname: '', origin: '', path: '' };
    }
  };

  /* All of them count for what a form means: a page that has many is not asked less about. */
  const FIELDS_MOST = 2000;
  machina.fieldsOf = form => [...bare(form).elements].filter(field => field.type !== 'fieldset').slice(0, FIELDS_MOST);
  const { fieldsOf } = machina;
  /* The button that is pressed to send it. */
  machina.submitterOf = form => {
    const all = fieldsOf(form).filter(field => (field.tagName === 'BUTTON' || field.tagName === 'INPUT') &&
      (field.type === 'submit' || field.type === 'image'));
    return all.find(enabled) || all[0];
  };
  const { submitterOf } = machina;

  const WORDY = ['password', 'email', 'tel', 'file', 'search', 'textarea'];
  machina.formMeaning = (one, by) => {
    const form = bare(one), button = by || submitterOf(one);
    const action = button?.getAttribute?.('formaction') || form.getAttribute('action') || document.URL;
    const method = lower(button?.getAttribute?.('formmethod') || form.getAttribute('method') || '');
    const fields = fieldsOf(form).filter(field => field !== button && field.type !== 'submit' && field.type !== 'button');
    const to = address(action);
    return { name: nameOf(one), role: roleOf(one), method: method === 'post' || method === 'dialog' ? method :
        method === 'get' || !button || fields.some(field => field.type === 'search') ? 'get' : '',
      origin: to.origin, path: to.path,
      types: [...new Set(fields.map(field => field.type).filter(type => WORDY.includes(type)))],
      autocomplete: [...new Set(fields.flatMap(field => lower(field.getAttribute('autocomplete')).split(/\s+/)))]
        .filter(word => word && word !== 'on' && word !== 'off').slice(0, 20),
      words: machina.wordsOf([...fields].map(field => labelOf(field) || field.name || field.placeholder).join(' | ').slice(0, 400)),
      submit: button ? nameOf(button) : '', submit_words: button ? machina.wordsOf(nameOf(button)) : [],
      fields: fields.filter(field => field.type !== 'hidden').length };
  };

  const digest = text => {
    let a = 0x811c9dc5, b = 0x9747b28c;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      a = Math.imul(a ^ c, 0x01000193);
      b = Math.imul(b ^ c, 0x85ebca6b) ^ (b >>> 13);
    }
    return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
  };

  const linkOf = element => bare(element).closest('a[href],area[href]');
  const isSubmit = element => (element.tagName === 'BUTTON' && element.type === 'submit') ||
    (element.tagName === 'INPUT' && (element.type === 'submit' || element.type === 'image'));
  /* What a press of the mouse on it sets off: the button or link around it counts, not the icon;
   * of a label, the field that it belongs to. */
  const deed = element => bare(element).closest('button,a[href],input,summary,[role=button],[role=menuitem],[role=link]') ||
    bare(element).closest('label')?.control || element;
  machina.deedOf = deed;

  machina.meaningOf = element => {
    const acting = bare(deed(element)), form = acting.form || acting.closest('form');
    const link = linkOf(acting);
    const meaning = { role: roleOf(acting), name: nameOf(acting), tag: lower(acting.tagName),
      type: acting.tagName === 'INPUT' || acting.tagName === 'BUTTON' ? acting.type : '',
      words: machina.wordsOf(nameOf(acting)), word_count: singleWords(nameOf(acting)).length, page: clean(location.origin, 120),
      autocomplete: lower(acting.getAttribute('autocomplete')).split(/\s+/).filter(Boolean).slice(0, 4),
      submits: !!form && isSubmit(acting) };
    if (link) {
      const to = address(link.href);
      meaning.link = { scheme: to.scheme, origin: to.origin, path: to.path, download: link.hasAttribute('download') };
    }
    if (form)
      meaning.form = machina.formMeaning(form, isSubmit(acting) ? acting : null);
    return meaning;
  };
  machina.markOf = element => digest(JSON.stringify(machina.meaningOf(element)));
  machina.markOfForm = form => digest(JSON.stringify(machina.formMeaning(form)));

  /* What something is dropped on: what a press of it would mean, and what it and those right around
   * it are called, for an icon of a bin has no name. A form takes what is dropped on it, and may go off. */
  const DROP_LEVELS = 4;
  const callings = element => ['id', 'class', 'data-testid', 'aria-label', 'title', 'alt']
    .map(name => clean(element.getAttribute?.(name) || '', 200).replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]/g, ' ')).join(' ');
  machina.dropOf = element => {
    const meaning = machina.meaningOf(element), called = [];
    meaning.submits = meaning.submits || bare(machina.deedOf(element)).tagName === 'FORM';
    for (let at = element, i = 0; at && at !== document.body && at !== document.documentElement && i < DROP_LEVELS;
      at = bare(at).parentElement || bare(at).getRootNode().host, i++)
      called.push(...singleWords(callings(at)));
    return { ...meaning, called: [...new Set(called)].slice(0, 40) };
  };
  machina.markOfDrop = element => digest(JSON.stringify({ ...machina.dropOf(element), called: 0 }));

  /* The target of an action and what it means; of a drag, what it is dropped on as well: its mark
   * stands behind a dot. */
  machina.look = (wanted, to) => {
    const element = machina.resolve(wanted), drop = to ? machina.resolve(to) : null;
    const seen = { ref: machina.refFor(element), visible: visible(element), enabled: enabled(element),
      place: machina.placeOf(element), mark: machina.markOf(element), meaning: machina.meaningOf(element) };
    return drop ? { ...seen, mark: seen.mark + '.' + machina.markOfDrop(drop), drop: machina.dropOf(drop) } : seen;
  };

  const changed = element =>
    `the element is not what it was when it was looked at: it is ${machina.describe(element)} now; look again`;
  machina.stillMeans = (element, mark) => {
    if (mark && machina.markOf(element) !== mark.split('.')[0])
      throw changed(element);
  };
  machina.stillTakes = (element, mark) => {
    if (mark && machina.markOfDrop(element) !== mark.split('.')[1])
      throw changed(element);
  };

  /* ---- forms ---- */

  machina.formsOf = () => {
    const forms = [];
    for (const element of machina.walk(document.documentElement))
      if (bare(element).tagName === 'FORM')
        forms.push(element);
    return forms.slice(0, 50);
  };
  const formId = (form, number) => clean(bare(form).id || bare(form).getAttribute('name') || 'form-' + (number + 1), 60);
  machina.theForm = id => {
    const forms = machina.formsOf();
    if (!id && forms.length === 1)
      return forms[0];
    const seen = forms.filter(visible);
    if (!id && seen.length === 1)
      return seen[0];
    const named = forms.find((form, i) => formId(form, i) === id);
    if (named)
      return named;
    const ids = forms.map(formId).slice(0, 10).join(', ');
    throw id ? `the page has no form "${clean(id, 60)}"; it has: ${ids || 'none'}` :
      forms.length === 0 ? 'the page has no form' : `the page has ${forms.length} forms, say which as form: ${ids}`;
  };
  machina.fieldFacts = field => {
    const facts = { name: clean(field.name || field.id, 80), ref: machina.refFor(field), type: field.type, label: nameOf(field),
      required: !!field.required };
    if (field.type === 'checkbox' || field.type === 'radio')
      facts.checked = field.checked;
    else if (field.type !== 'file')
      facts.value = field.type === 'password' ? '' : clean(field.value, 200);
    if (field.tagName === 'SELECT')
      facts.options = [...field.options].slice(0, 50).map(option => clean(option.label || option.value, 80));
    if (field.type === 'password')
      facts.filled = field.value !== '';
    if (field.disabled || field.readOnly)
      facts.disabled = true;
    if (field.willValidate && !field.validity.valid && field.value !== '')
      facts.invalid = clean(field.validationMessage, 120);
    return facts;
  };
  machina.readForms = () => machina.formsOf().map((form, i) => ({ id: formId(form, i), name: nameOf(form),
    method: lower(bare(form).method), action: address(bare(form).getAttribute('action') || document.URL).path,
    submit: machina.formMeaning(form).submit, visible: visible(form),
    fields: fieldsOf(form).filter(field => !['hidden', 'submit', 'button', 'reset', 'image'].includes(field.type)).slice(0, 60)
      .map(machina.fieldFacts) }));
  machina.lookForm = id => {
    const form = machina.theForm(id);
    return { form: formId(form, machina.formsOf().indexOf(form)), ref: machina.refFor(form), mark: machina.markOfForm(form),
      meaning: { role: 'form', name: nameOf(form), words: [], submits: true, page: location.origin,
        form: machina.formMeaning(form) } };
  };
}
