const base = document.documentElement.dataset.api;

async function unwrap(response) {
  const data = await response.json();
  if (response.ok) return { ok: true, data };
  return { ok: false, errors: data.errors ?? { form: data.error } };
}

export async function listEvents(month) {
  return unwrap(await fetch(`${base}/events?month=${month}`));
}

export async function createEvent(event) {
  return unwrap(await fetch(`${base}/events`, {
    method: "POST",
    credentials: "same-origin",
    body: JSON.stringify(event),
  }));
}
