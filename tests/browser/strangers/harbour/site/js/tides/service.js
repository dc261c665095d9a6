import { Api } from '/js/core/api.js';
import { NETWORK } from './settings.js';

const client = new Api({ base: '/api/tides', deadline: NETWORK.patience });

const none = Object.freeze([]);

export function stations() {
  return client.get('/stations');
}

export function extremes(station) {
  return client
    .get('/predictions', { query: { station, days: NETWORK.days } })
    .then((said) => said.extremes)
    .catch((problem) => {
      if (problem.status === 404) throw problem;
      return none;
    });
}

export function sunTimes() {
  return client.get('/sun').catch(() => null);
}
