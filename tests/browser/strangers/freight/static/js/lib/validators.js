// Checks shared by quote, booking and import pages.
const POSTCODE = /^(GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/gi;
const REFERENCE = /^[A-Z]{2}-\d{4,6}$/;
const PHONE = /^\+?[\d ()-]{7,}$/;

export const isPostcode = (text) => POSTCODE.test(text.trim());
export const isReference = (text) => REFERENCE.test(text.trim());
export const isPhone = (text) => PHONE.test(text.trim());

export function problems(record, checks) {
  return Object.entries(checks)
    .filter(([field, check]) => !check(record[field] ?? ''))
    .map(([field]) => field);
}
