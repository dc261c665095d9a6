import { api } from '/assets/api.js';

let current = null;

export async function currentUser() {
  if (!current) {
    const { user } = await api('/me');
    current = { id: user.id, name: user.name, role: user.role, orgId: user.orgId };
  }
  return current;
}
