import { get } from './lib/http.js';
import { settings } from './settings.js';

const seen = new Map();

export async function toursOf(week) {
  if (seen.has(week)) return seen.get(week);
  const { path, patience } = settings.tours;
  try {
    const { tours } = await get(`${path}?week=${week}`, { timeout: patience });
    seen.set(week, tours);
    return tours;
  } catch {
    return [];
  }
}

export const languages = () => get(settings.languages);
