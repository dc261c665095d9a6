import { api, HttpError } from "/shared/api.js";

/** The months of a meter; a new meter has none yet. */
export async function monthsOf(meter) {
  try {
    return (await api.get(`/api/meters/${meter}/series?by=month`)).months;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return [];
    throw error;
  }
}
