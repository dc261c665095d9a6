function bits(text) {
  let seed = 17;
  return Array.from({ length: 24 * 24 }, (_, i) => {
    seed = (seed * 31 + text.charCodeAt(i % text.length) + i) % 9973;
    return seed % 2;
  });
}

export function barcodeOf(text, size = 5) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 24 * size;
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  bits(text).forEach((bit, i) => { if (bit) pen.fillRect((i % 24) * size, Math.floor(i / 24) * size, size, size); });
  return canvas.toDataURL('image/png');
}
