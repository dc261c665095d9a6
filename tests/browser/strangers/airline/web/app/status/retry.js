const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export async function patiently(path, tries = 5) {
  for (let n = 1; ; n++) {
    const response = await fetch(path);
    if (response.ok) return response.json();
    if (response.status !== 503 || n === tries) throw new Error(`${path}: ${response.status}`);
    console.warn(`status: busy, try ${n} of ${tries}`);
    await pause(300 * n);
  }
}
