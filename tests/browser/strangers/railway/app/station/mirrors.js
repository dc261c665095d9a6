const MIRRORS = ['http://127.0.0.1:@@NOBODY@@/mirror', '/api'];

/** The first mirror that answers. */
export async function fromMirrors(path) {
  let last;
  for (const mirror of MIRRORS) {
    try {
      const answer = await fetch(mirror + path);
      if (answer.ok) return await answer.json();
      last = new Error(`${answer.status}`);
    } catch (error) {
      last = error;
      console.warn(`[mirrors] ${mirror} does not answer, next one`);
    }
  }
  throw last;
}
