export function picture(side) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const pen = canvas.getContext('2d');
  const data = pen.createImageData(side, side);
  let seed = 20261;
  for (let place = 0; place < data.data.length; place++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    data.data[place] = place % 4 === 3 ? 255 : (seed >>> 16) & 255;
  }
  pen.putImageData(data, 0, 0);
  return canvas.toDataURL('image/png');
}
