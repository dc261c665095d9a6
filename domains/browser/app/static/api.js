// Everything the page asks the server for goes through here.

/** The JSON behind `path`, or null when the server has none. */
export async function getJson(path) {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (!response.ok) {
    console.warn(`${path} answered ${response.status}, continuing without it`);
    return null;
  }
  return response.json();
}

export function countVisit() {
  return fetch("/api/visits", { method: "POST", body: JSON.stringify({ page: "dashboard" }) });
}
