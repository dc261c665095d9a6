/** One client for tables (text), calendars (text) and data (JSON): the answer says what it is. */
export async function take(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const kind = answer.headers.get('Content-Type') ?? '';
  return kind.includes('json') ? answer.json() : answer.text();
}
