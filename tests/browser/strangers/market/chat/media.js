import { getJson } from '/lib/http.js';

const HOST = 'http://127.0.0.1:@@MEDIA@@';

export const media = {
  quota: () => getJson(`${HOST}/quota`),
  files: (conversation) => getJson(`${HOST}/files?conversation=${conversation}`),
};
