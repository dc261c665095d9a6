import { createHttp } from '/lib/http.js';

export function partnersOf(member) {
  const partners = createHttp({ base: 'http://127.0.0.1:@@PARTNER@@', headers: { 'X-Club-Tier': member.tier } });
  return {
    balances: () => partners.get(`/v1/points?member=${member.member}`).then((answer) => answer.partners, () => []),
  };
}
