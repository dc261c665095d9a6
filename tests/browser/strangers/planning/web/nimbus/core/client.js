import { request } from "./api.js";

let token = "expired";
let refreshing = null;

const authorization = () => ({ Authorization: `Bearer ${token}` });

async function renew() {
  const answer = await request("POST", "/token", { body: { grant: "cookie" } });
  token = answer.token;
}

export async function get(path) {
  try {
    return await request("GET", path, { headers: authorization() });
  } catch (error) {
    if (error.status !== 401) throw error;
    refreshing ??= renew().finally(() => { refreshing = null; });
    await refreshing;
    return request("GET", path, { headers: authorization() });
  }
}
