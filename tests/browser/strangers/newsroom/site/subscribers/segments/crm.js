function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}
export const crm = {
  async members(segment) {
    const response = await fetch(`/api/crm/segments/${segment}/members`, { headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(`crm answered ${response.status}`);
    const answer = parsed(await response.text());
    return answer?.members ?? [];
  },
};
