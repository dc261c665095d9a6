import { ask, useToken } from "./api.js";

/** A session in that language; the one before ends. */
export async function renewSession(locale) {
  const session = await ask("/api/token", { method: "POST", body: JSON.stringify({ locale }) });
  useToken(session.token);
}
