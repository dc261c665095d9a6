import { request } from "./api.js";

const signedOut = new EventTarget();

export function onSignedOut(listener) {
  signedOut.addEventListener("signed-out", listener);
}

export async function call(method, path, options) {
  try {
    return await request(method, path, options);
  } catch (error) {
    if (error.status !== 401) throw error;
    await request("POST", "/session/refresh");
    try {
      return await request(method, path, options);
    } catch (again) {
      if (again.status === 401) signedOut.dispatchEvent(new Event("signed-out"));
      throw again;
    }
  }
}
