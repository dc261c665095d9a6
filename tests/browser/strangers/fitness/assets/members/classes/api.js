import { getJson } from "/assets/lib/http.js";

export const homeStudio = () => getJson("/api/member/home-studio").catch(() => ({}));
export const trainers = () => getJson("/api/trainers");
export const notices = () => getJson("/api/notices");

export function classesOf(studio, day) {
  return getJson(`/api/classes?studio=${studio}&day=${day}`);
}
