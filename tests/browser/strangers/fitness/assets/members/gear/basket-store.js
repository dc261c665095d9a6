const KEY = "northlight.basket";

export function readBasket() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

export function keepBasket(lines) {
  localStorage.setItem(KEY, lines);
}
