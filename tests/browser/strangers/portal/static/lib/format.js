const money = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });

export const price = (amount) => money.format(amount);

export function length(seconds) {
  const s = Math.round(seconds);
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

export function day(iso) {
  return new Date(iso).toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short" });
}
