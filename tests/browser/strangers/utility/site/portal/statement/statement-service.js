import { api } from "/shared/api.js";
import { limited } from "/shared/limit.js";

const PATIENCE = 1200;

export const statementService = {
  list: () => limited(PATIENCE, (signal) => api.get("/api/statements", { signal })),
  create: (year) => limited(PATIENCE, (signal) => api.post("/api/statements", { year }, { signal })),
};
