/** Parts of the page are fetched when they are wanted; the manifest of the release says what they are called. */
let manifest;

async function chunkOf(name) {
  manifest ??= fetch('/assets/plots/manifest.json', { cache: 'no-cache' }).then((response) => response.json());
  const { chunks } = await manifest;
  if (!chunks[name]) throw new Error(`no part called ${name}`);
  return `/assets/plots/chunks/${chunks[name]}`;
}

export async function part(name, { retries = 1 } = {}) {
  const address = await chunkOf(name);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await import(attempt ? `${address}?again=${attempt}` : address);
    } catch (error) {
      if (attempt >= retries) throw error;
    }
  }
}
