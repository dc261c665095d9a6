export async function query(operationName, text, variables = {}) {
  const response = await fetch('/api/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operationName, query: text, variables }),
  });
  if (!response.ok) throw new Error(`${operationName}: ${response.status}`);
  const { data } = await response.json();
  return data;
}
