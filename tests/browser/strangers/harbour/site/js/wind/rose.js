import { WorkerPool } from './pool.js';

function sectors(samples) {
  const found = Array.from({ length: 16 }, () => ({ count: 0, speed: 0 }));
  for (const { dir, kn } of samples) {
    const sector = found[Math.round(dir / 22.5) % 16];
    sector.count += 1;
    sector.speed += kn;
  }
  return found.map(({ count, speed }) => ({ share: count / samples.length, mean: count ? speed / count : 0 }));
}

export class WindRose {
  constructor(canvas, status) {
    this.canvas = canvas;
    this.status = status;
    try {
      this.pool = new WorkerPool(sectors.toString());
    } catch {
      this.pool = { run: () => new Promise(() => {}) };
    }
  }

  async show(samples) {
    this.status.textContent = 'Calculating…';
    const rows = await this.pool.run(samples);
    this.paint(rows);
    this.status.textContent = `${samples.length} samples`;
  }

  paint(rows) {
    const pen = this.canvas.getContext('2d');
    const most = Math.max(...rows.map((row) => row.share));
    pen.clearRect(0, 0, 320, 320);
    pen.fillStyle = '#0c4a6e';
    rows.forEach((row, index) => {
      const angle = ((index * 22.5 - 90) * Math.PI) / 180;
      pen.beginPath();
      pen.moveTo(160, 160);
      pen.arc(160, 160, (row.share / most) * 140, angle - 0.17, angle + 0.17);
      pen.fill();
    });
  }
}
