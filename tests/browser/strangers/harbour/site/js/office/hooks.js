/* Components with hooks, as far as this office needs them. */
let current = null;

class Instance {
  constructor(component, props, host) {
    Object.assign(this, { component, props, host, slots: [], at: 0, queued: false });
  }

  render() {
    this.at = 0;
    const before = current;
    current = this;
    try {
      this.host.innerHTML = this.component(this.props);
    } finally {
      current = before;
    }
    const effects = this.slots.filter((slot) => slot.due);
    effects.forEach((slot) => {
      slot.due = false;
      slot.cleanup?.();
      slot.cleanup = slot.effect();
    });
  }

  again() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.render();
    });
  }

  slot(make) {
    const index = this.at++;
    return (this.slots[index] ??= make());
  }
}

export function useState(initial) {
  const owner = current;
  const slot = owner.slot(() => ({ value: initial }));
  const set = (value) => {
    slot.value = value;
    owner.again();
  };
  return [slot.value, set];
}

export function useEffect(effect, deps) {
  const slot = current.slot(() => ({ deps: null }));
  const same = slot.deps && deps.every((value, index) => Object.is(value, slot.deps[index]));
  if (!same) Object.assign(slot, { deps, effect, due: true });
}

export function mount(component, host, props = {}) {
  new Instance(component, props, host).render();
}
