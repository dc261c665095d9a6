import { api } from "/shared/api.js";

export function loadInbox({ unread, page }) {
  const query = new URLSearchParams({ page, ...(unread ? { unread: 1 } : {}) });
  return api.get(`/api/inbox?${query}`);
}
