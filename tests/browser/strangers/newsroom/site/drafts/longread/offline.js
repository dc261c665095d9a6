// The last editions, for the train: as much of them as there is room for.
export async function keepEditions(http) {
  const { editions } = await http.get('/api/offline/editions');
  let kept = 0;
  for (const id of editions) {
    const { pages } = await http.get(`/api/offline/editions/${id}`);
    for (const page of pages) {
      try {
        localStorage.setItem(`courier:offline:${id}:${page.id}`, page.body);
        kept += 1;
      } catch { /* as much as there is room for */ }
    }
  }
  return kept;
}
