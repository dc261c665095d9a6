const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export function parseDate(seconds) {
  return new Date(seconds * 1000);
}

export function formatDate(value) {
  const date = parseDate(value);
  return Number.isNaN(date.getTime()) ? String(date) : day.format(date);
}
