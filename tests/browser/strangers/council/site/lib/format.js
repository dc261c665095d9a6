const ZONE = 'Europe/Berlin';
const eur = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });
export const money = (cents) => eur.format(cents / 100);
export const day = (iso) => new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long', timeZone: ZONE }).format(new Date(iso));
export const clock = (iso) => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: ZONE }).format(new Date(iso));
export const plural = (n, one, many = one + 's') => `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`;
