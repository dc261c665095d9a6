const filled = (value) => value !== "" || "Please fill this in.";
const shaped = (pattern, say) => (value) => pattern.test(value) || say;

export const RULES = {
  meter: [filled, shaped(/^M-\d{5}$/, "This is no number of a meter.")],
  reading: [filled, shaped(/^\d{1,5}$/, "A reading has up to five digits.")],
  on: [filled, shaped(/^\d{4}-\d\d-\d\d$/, "A date is written 2025-11-30.")],
};

export function check(values, rules = RULES) {
  const problems = {};
  for (const [name, list] of Object.entries(rules)) {
    const said = list.map((rule) => rule(values[name] ?? "")).find((answer) => answer !== true);
    if (said) problems[name] = said;
  }
  return problems;
}
