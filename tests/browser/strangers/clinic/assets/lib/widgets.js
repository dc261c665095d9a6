(function (Linden) {
  'use strict';
  const known = new Map();

  Linden.widgets = {
    add(name, make) {
      known.set(name, make);
    },
    mount(root) {
      for (const place of root.querySelectorAll('[data-widget]')) {
        const make = known.get(place.dataset.widget);
        if (!make) {
          place.hidden = true; // not every practice has every widget
          continue;
        }
        make(place);
      }
    },
  };
})(window.Linden);
