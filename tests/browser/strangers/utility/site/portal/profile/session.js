import { api, HttpError } from "/shared/api.js";

let token = "t-old";

/** Runs a request with the token, and once more with a new one when the old one has expired. */
export async function authorised(request) {
  try {
    return await request({ Authorization: `Bearer ${token}` });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
    token = (await api.post("/api/token", { grant: "refresh" })).token;
    return request({ Authorization: `Bearer ${token}` });
  }
}
