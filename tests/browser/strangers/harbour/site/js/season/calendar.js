const DAY = 86400000;
const opening = Date.UTC(new Date().getFullYear(), 3, 15);

export const dateOf = (offset) => new Date(opening + offset * DAY);

export const label = (offset) => dateOf(offset).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', timeZone: 'UTC' });

const copy = (value) => JSON.parse(JSON.stringify(value));

/** The nights of a stay, for every night one value. */
export function nights(stay) {
  const own = copy(stay);
  return Array.from({ length: own.nights }, (_, index) => own.start + index);
}

export function meets(one, other) {
  if (one.id === other.id) return false;
  const taken = nights(other);
  return one.berth === other.berth && nights(one).some((night) => taken.includes(night));
}
