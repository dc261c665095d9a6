/** Several answers at once, by name; a page should not wait for the least of them. */
export async function gather(wanted) {
  const names = Object.keys(wanted);
  const results = await Promise.allSettled(names.map((name) => wanted[name]()));
  return Object.fromEntries(results.map((result, i) => [names[i], result.status === "fulfilled" ? result.value : {}]));
}
