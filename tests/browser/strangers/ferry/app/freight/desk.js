const QUOTE = "query Quote($lane: ID!, $metres: Float!) { quote(lane: $lane, metres: $metres) { total valid } }";

async function query(text, variables) {
  const answer = await fetch("/api/freight/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: text, variables }),
  });
  if (!answer.ok) throw new Error(`freight ${answer.status}`);
  return (await answer.json()).data;
}

document.querySelector("#ask").addEventListener("click", async () => {
  const metres = Number(document.querySelector("#metres").value);
  const { quote } = await query(QUOTE, { lane: "NOR-SKA", metres });
  document.querySelector("#quote").textContent = quote ? `€ ${quote.total}` : "We do not carry freight on this lane.";
});
