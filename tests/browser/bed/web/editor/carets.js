// Where the others are in the text: a small mark in the margin, moved as they type.
(function () {
  const layer = kit.h('div', { id: 'carets', 'aria-hidden': true });
  kit.$('#preview').before(layer);

  function mark(person, n) {
    const line = (n * 7 + Math.floor(performance.now() / 250)) % 40;
    return kit.h('span', { class: 'caret', style: `margin-left:${line}px` },
      kit.h('b', null, person.slice(0, 1)), kit.h('i', null, '▏'));
  }

  function follow(people) {
    const everybody = [...people, ...people, ...people, ...people];
    return setInterval(() => {
      kit.fill(layer, everybody.map(mark));
    }, 250);
  }

  Folio.carets = { follow };
})();
