export function draw(el, n) { el.textContent = "▮".repeat(n / 2); }
