/* A small reactive core: components are functions, hooks are kept by their order. */
let current = null;

export function useState(first) {
  const self = current, index = self.cursor++;
  if (!(index in self.hooks)) self.hooks[index] = first;
  return [self.hooks[index], value => {
    self.hooks[index] = value;
    schedule(self);
  }];
}

export function useEffect(run, deps) {
  const self = current, index = self.cursor++;
  const before = self.hooks[index];
  const same = before && deps && before.length === deps.length && deps.every((value, i) => Object.is(value, before[i]));
  self.hooks[index] = deps ?? [];
  if (!same) self.effects.push(run);
}

function schedule(self) {
  if (self.queued) return;
  self.queued = true;
  queueMicrotask(() => {
    self.queued = false;
    update(self);
  });
}

function update(self) {
  current = self;
  self.cursor = 0;
  self.effects = [];
  const html = self.component(self.props);
  current = null;
  self.host.innerHTML = html;
  self.effects.forEach(run => run());
}

export function render(component, host, props = {}) {
  update({ component, host, props, hooks: [], effects: [], cursor: 0, queued: false });
}
