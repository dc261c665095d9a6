import { api } from "./api.js";

const session = { user: null, csrf: null, expiresAt: 0 };

export async function openSession() {
  const answer = await api.get("/session");
  session.user = answer.user;
  session.csrf = answer.csrf;
  session.expiresAt = Date.now() + answer.expiresIn * 1000;
  setTimeout(keepAlive, 600);
  return session;
}

async function keepAlive() {
  const answer = await api.post("/session/keepalive", { user: session.user.id });
  session.expiresAt = Date.now() + answer.expiresIn * 1000;
}

export function csrfHeader() {
  return { "X-CSRF-Token": session.csrf };
}
