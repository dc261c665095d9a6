import { createClient } from "/shared/api.js";

const household = createClient("/household");

export async function loadMembers() {
  try {
    return (await household.get("/members")).members;
  } catch (error) {
    console.info("members: none to show");
    return [];
  }
}
