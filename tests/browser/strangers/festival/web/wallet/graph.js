export const query = async (operationName, text, variables = {}) => {
  const answer = await fetch('/api/graph', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationName, query: text, variables }),
  });
  if (!answer.ok) throw new Error(`graph: ${answer.status}`);
  return (await answer.json()).data;
};
