import { api } from "./api.js";

export async function flush(events) {
  try {
    await api.post("/metrics/batch", { events });
  } catch (error) {
    console.error("[metrics] flush failed", error.message);
  }
}
