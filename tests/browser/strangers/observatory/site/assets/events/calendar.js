export class Calendar {
  constructor(year = 2026, month = 11) {
    this.element = document.createElement('table');
    const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    const cells = Array.from({ length: days }, (_, i) => `<td>${i + 1}</td>`);
    let rows = '';
    while (cells.length) rows += `<tr>${cells.splice(0, 7).join('')}</tr>`;
    this.element.innerHTML = `<caption>December ${year}</caption>${rows}`;
    if (!Intl.Segmenter) console.warn('[calendar] plain labels');
  }
}
