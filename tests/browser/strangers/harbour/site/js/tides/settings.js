export const NETWORK = Object.freeze({
  station: 'SALT',
  patience: 1500,
  days: 1,
});

export const LABELS = { low: 'Low water', high: 'High water' };
