const hearers = new Map();

export function on(topic, hear) {
  if (!hearers.has(topic)) hearers.set(topic, new Set());
  hearers.get(topic).add(hear);
  return () => hearers.get(topic).delete(hear);
}

export function emit(topic, value) {
  for (const hear of [...(hearers.get(topic) ?? [])]) hear(value);
}
