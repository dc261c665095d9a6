const rules = {
  flight: (value) => /^SV\d{3}$/i.test(value || '') || 'The flight begins with SV.',
  reason: (value) => Boolean(value) || 'Choose what happened.',
  account: (value) => /^\d{11}$/.test(value || '') || 'An account has eleven digits.',
  phone: (value) => /^\+?\d{8,12}$/.test(value || '') || 'We call you at this number.',
};

export function check(values) {
  const found = {};
  for (const [name, rule] of Object.entries(rules)) {
    const said = rule(values[name]);
    if (said !== true) found[name] = said;
  }
  return found;
}
