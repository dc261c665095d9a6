const COLLECTOR = "http://127.0.0.1:@@NOBODY@@/collect";

export function track(event, detail = {}) {
  const body = JSON.stringify({ event, detail, at: Date.now() });
  fetch(COLLECTOR, { method: "POST", mode: "no-cors", keepalive: true, body }).catch(() => {});
}
