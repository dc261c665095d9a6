const JSON_TYPE = { 'content-type': 'application/json' };

export const addresses = {
  read: () => fetch('/api/address').then((response) => response.json()),
  change: (fields) => fetch('/api/address', { method: 'PATCH', headers: JSON_TYPE, body: fields }),
};
