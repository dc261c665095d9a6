window.VirtualList = class VirtualList {
  constructor(viewport, pad, { height, render }) {
    Object.assign(this, { viewport, pad, height, render, items: [], pool: [] });
    viewport.addEventListener('scroll', () => {
      this.frame ??= requestAnimationFrame(() => { this.frame = undefined; this.draw(); });
    }, { passive: true });
  }
  set(items) {
    this.items = items;
    this.pad.style.height = `${items.length * this.height}px`;
    this.viewport.scrollTop = 0;
    this.draw();
  }
  draw() {
    const first = Math.max(0, Math.floor(this.viewport.scrollTop / this.height) - 3);
    const count = Math.ceil(this.viewport.clientHeight / this.height) + 6;
    const part = this.items.slice(first, first + count);
    while (this.pool.length < part.length) {
      const row = document.createElement('div');
      row.className = 'row';
      this.pool.push(this.pad.appendChild(row));
    }
    this.pool.forEach((row, i) => {
      row.hidden = i >= part.length;
      if (row.hidden) return;
      row.style.top = `${(first + i) * this.height}px`;
      this.render(row, part[i]);
    });
  }
};
