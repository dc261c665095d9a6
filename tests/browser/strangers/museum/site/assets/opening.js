import { get } from './lib/http.js';

const pad = (n) => String(n).padStart(2, '0');
const key = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

export async function openingOf(date) {
  const { days } = await get(`/museum/api/opening?from=${key(date)}&days=7`);
  const day = (days ?? []).find((candidate) => candidate.date === key(date));
  return day ? { open: true, from: day.from, until: day.until } : { open: false };
}
