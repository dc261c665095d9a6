import { api } from "../core/api.js";

const people = new Map();

export async function loadDirectory() {
  const { members } = await api.get("/members");
  for (const member of members) people.set(member.id, member);
}

export function nameOf(id) {
  return people.get(id).name;
}
