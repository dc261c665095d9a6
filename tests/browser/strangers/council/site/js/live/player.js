const box = document.querySelector('#player');
const candidates = [
  { kind: 'hls', type: 'application/vnd.apple.mpegurl' },
  { kind: 'dash', type: 'application/dash+xml' },
];
function pick() {
  const probe = document.createElement('video');
  const found = candidates.find((c) => probe.canPlayType(c.type) === 'probably');
  if (!found) throw new DOMException('No stream format is supported', 'NotSupportedError');
  return found;
}
try {
  const { kind } = pick();
  const { url } = await (await fetch(`/api/live/stream?kind=${kind}`)).json();
  box.innerHTML = `<video controls src="${url}"></video>`;
} catch (error) {
  console.warn('player:', error.name, error.message);
  box.innerHTML = 'This browser cannot play the stream here. <a href="/council/live/listen">Listen by telephone: 0800 55 21 00</a>';
}
