import { pick, table, wait } from "/lib/kit.js";

async function patiently(url, tries = 5) {
  for (let n = 1; ; n += 1) {
    const response = await fetch(url);
    if (response.ok) return response.json();
    if (n === tries) throw new Error(`${response.status} after ${n} tries`);
    console.warn(`[radar] ${response.status}, again in a moment (${n}/${tries})`);
    await wait(150 * n);
  }
}

const { tiles } = await patiently("/api/radar");
pick("#state").textContent = "Radar is up to date.";
pick("#hours").append(table(["Hour", "mm"], tiles.map((t) => [`${t.hour}:00`, t.rain])));
