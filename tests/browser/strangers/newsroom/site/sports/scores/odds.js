// A partner's box; the page is whole without it.
export async function odds() {
  const response = await fetch('/api/partners/odds?sport=football');
  if (!response.ok) throw new Error(`odds: ${response.status}`);
  return response.json();
}
