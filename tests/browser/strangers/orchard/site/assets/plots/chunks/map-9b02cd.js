const COLOURS = { Cox: '#b94a3b', Pears: '#8aa83e', Plums: '#6b4a86' };
const SVG = 'http://www.w3.org/2000/svg';

export function mount(host, plots) {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', '0 0 280 210');
  for (const plot of plots) {
    const field = document.createElementNS(SVG, 'rect');
    for (const [name, value] of Object.entries({ x: plot.x, y: plot.y, width: plot.w, height: plot.h, fill: COLOURS[plot.crop] })) {
      field.setAttribute(name, value);
    }
    picture.append(field);
  }
  host.replaceChildren(picture);
}
