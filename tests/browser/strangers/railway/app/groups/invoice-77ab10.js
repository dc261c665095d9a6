export const line = offer => `${offer.name}: from ${offer.from} people, ${offer.price.toFixed(2)} € each`;
