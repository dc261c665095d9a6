const filled = value => value.trim() !== '';

export const RULES = {
  place: [filled, 'Please say where'],
  mail: [value => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value), 'Please give an e-mail address'],
  phone: [value => /^\+?[\d ]{6,}$/.test(value), 'Please give a telephone number'],
};

export function check(values) {
  const remarks = new Map();
  for (const [name, [accepts, remark]] of Object.entries(RULES)) {
    if (!accepts(values[name] ?? '')) remarks.set(name, remark);
  }
  return remarks;
}
