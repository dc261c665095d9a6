import { getJson, h, pick } from "/lib/kit.js";

const rooms = { vault: () => import("/tasting/seatplan.mjs") };

async function freeSeats(day) {
  try {
    const [{ layout }, { taken }] = await Promise.all([
      rooms.vault(),
      getJson(`/api/tasting/taken?day=${day.date}`),
    ]);
    return layout(day.seats).filter((seat) => !taken.includes(seat));
  } catch (problem) {
    return [];
  }
}

async function choose(day) {
  const seats = await freeSeats(day);
  pick("#seats").replaceChildren(...(seats.length
    ? seats.map((seat) => h("button", {}, seat))
    : [h("p", { className: "empty" }, `${day.date} is fully booked.`)]));
}

const { days } = await getJson("/api/tasting/days");
pick("#days").append(...days.map((day) =>
  h("button", { id: `d${day.date}`, onclick: () => choose(day) }, day.date)));
