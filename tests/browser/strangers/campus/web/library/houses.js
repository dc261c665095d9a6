const HOUSES = ['http://127.0.0.1:@@NOBODY@@', ''];
let good = Number(sessionStorage.getItem('house') ?? 0);
export async function house(path, init) {
  for (; good < HOUSES.length; good++) {
    try {
      const answer = await fetch(HOUSES[good] + path, init);
      sessionStorage.setItem('house', good);
      return answer;
    } catch (e) { console.error(`library: house ${good + 1} does not answer`, e); }
  }
  good = 0;
  throw new Error('no house answers');
}
