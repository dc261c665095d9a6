import { http } from '/assets/lib/http.js';

const PAGE = 12;

export async function* pagesOf(path, query) {
  let cursor;
  do {
    const page = await http.get(path, cursor ? { ...query, cursor, limit: PAGE } : { ...query, limit: PAGE });
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor);
}

export async function blocksOf(night) {
  const blocks = [];
  for await (const items of pagesOf('/api/schedule/blocks', { night })) blocks.push(...items);
  return blocks;
}

export const summaryOf = night => http.get('/api/schedule/summary', { night });
export const moonOf = night => http.get('/api/moon', { night });
