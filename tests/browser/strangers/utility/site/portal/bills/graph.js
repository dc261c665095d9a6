import { api } from "/shared/api.js";

const OPERATIONS = {
  AccountHead: "query AccountHead { account { number open due } }",
  BillList: "query BillList($first: Int) { account { bills(first: $first) { nodes { id period total } } } }",
  Hints: "query Hints { hints { text } }",
};

export async function graph(operationName, variables = {}) {
  const { data } = await api.post("/api/graph", { operationName, query: OPERATIONS[operationName], variables });
  return data;
}
