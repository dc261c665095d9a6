const rules = [
  ({ form }) => Boolean(form.arrival),
  ({ form }) => form.nights > 0 && form.nights <= 28,
  ({ form, free }) => free.some((row) => row.pier === form.pier && row.count > 0),
  ({ tariffs }) => tariffs !== null,
  ({ papers }) => papers.state === 'valid',
  ({ sending, reference }) => !sending && !reference,
];

export const mayConfirm = (state) => rules.every((rule) => rule(state));

export function price({ tariffs, form }, length = 9.6) {
  if (!tariffs || !form.nights) return null;
  return (tariffs.perMetre * length + tariffs.power) * form.nights * (1 + tariffs.tax);
}
