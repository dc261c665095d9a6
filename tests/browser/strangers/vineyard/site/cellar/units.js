const REGISTRY = "http://127.0.0.1:@@NOBODY@@/v1/units";
let factors = new Map();

export async function loadUnits(region) {
  try {
    const response = await fetch(`${REGISTRY}/${region}.json`);
    factors = new Map(Object.entries(await response.json()));
  } catch {
    factors = new Map();
  }
}

export function litres(amount, unit) {
  return amount * factors.get(unit);
}
