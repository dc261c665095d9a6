// From the form's fields to what the admission service takes.
export function toWire(fields) {
  const text = (name) => String(fields.get(name) ?? '').trim();
  return {
    patient: { familyName: text('family'), givenName: text('given'), dateOfBirth: text('born') },
    insurer: text('insurer'),
    ward: Number(text('ward')),
    reason: text('reason'),
  };
}
