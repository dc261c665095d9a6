import { api } from '/assets/api.js';

export async function coursesOf(orgId) {
  const answer = await api(`/orgs/${orgId}/courses`, { optional: true });
  return answer?.courses;
}
