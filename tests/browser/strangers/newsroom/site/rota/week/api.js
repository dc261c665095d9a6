export async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const kind = response.headers.get('Content-Type') ?? '';
  return kind.includes('application/json') ? response.json() : response.text();
}
