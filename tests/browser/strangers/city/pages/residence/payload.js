export const LABELS = { fullName: 'Name', birthDate: 'Date of birth', street: 'Street', postalCode: 'Postal code', town: 'Town' };

export function toPayload(v) {
  return {
    full_name: v.fullName,
    birth_date: v.birthDate,
    address: {
      street: v.street,
      postalCode: v.postalCode,
      town: v.town,
    },
  };
}
