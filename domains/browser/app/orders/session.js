import { ask, useToken } from "./api.js";

/** A session in that locale; the one before ends. */
export async function renewSession(locale) {
  const session = await ask(`/api/token?locale=${locale}`, { method: "POST" });
  useToken(session?.token);
}
