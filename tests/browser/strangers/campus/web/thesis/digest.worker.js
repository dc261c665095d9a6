function fnv(bytes) {
  let hash = 0x811c9dc5;
  for (let round = 0; round < 800000; round++) for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16);
}
self.onmessage = ({ data: { nr, bytes } }) => self.postMessage({ nr, digest: fnv(bytes) });
