const queries = {
  Traveller: 'query Traveller { traveller { name tags } }',
  Bags: 'query Bags($tags: [ID!]!) { bags(tags: $tags) { tag place at } }',
};

export async function query(operationName, variables = {}) {
  const response = await fetch('/graph', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationName, query: queries[operationName], variables }),
  });
  if (!response.ok) throw new Error(`graph ${response.status}`);
  const { data } = await response.json();
  return data;
}
