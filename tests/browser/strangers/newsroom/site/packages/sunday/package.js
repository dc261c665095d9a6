import { http } from '/lib/http.js';

export async function assemble(id) {
  const { title, parts } = await http.get(`/api/packages/${id}`);
  const loaded = [];
  for (const part of parts) {
    loaded.push(await http.get(`/api/packages/${id}/parts/${part}`));
  }
  return { title, parts: loaded };
}
