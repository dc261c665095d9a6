import { api } from "./api.js";

export async function* pages(path) {
  let cursor = null;
  do {
    const page = await api.get(cursor === null ? path : `${path}&after=${encodeURIComponent(cursor)}`);
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

export async function collect(path) {
  const all = [];
  for await (const items of pages(path)) all.push(...items);
  return all;
}
