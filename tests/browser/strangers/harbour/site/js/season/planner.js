import { label, meets } from './calendar.js';

export function clashes(stays) {
  const found = [];
  for (const stay of stays) {
    const against = stays.filter((other) => meets(stay, other));
    for (const other of against) if (stay.id < other.id) found.push([stay, other]);
  }
  return found;
}

export function describe([one, other]) {
  return `${one.berth}: ${one.vessel} (${label(one.start)}) and ${other.vessel} (${label(other.start)})`;
}
