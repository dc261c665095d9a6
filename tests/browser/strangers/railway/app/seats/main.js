import { $ } from '/lib/dom.js';
import { seatApi } from './api.js';
import { planOf } from './plan.js';

const api = seatApi();

const flowFor = ({ id, from, to, day, legs }) => {
  const [first] = legs;
  const say = text => { $('#note').textContent = text; };

  const head = () => { $('#trip').textContent = `${first.run.name}, ${from} – ${to}, ${day} at ${first.dep}`; };

  const stops = () => api.stopsOf(first.run.id).then(({ stops }) => { $('#stops').textContent = stops.join(' · '); });

  const seats = async () => {
    try {
      const { coach, free } = await api.seatsOf(id);
      $('#plan').replaceChildren(planOf(coach, free, seat => say(`Seat ${coach}/${seat} is yours.`)));
    } catch (error) {
      if (!api.isMissing(error)) throw error;
      say('Seats on this train cannot be reserved.');
    }
  };

  return { head, stops, seats };
};

const flow = flowFor(await api.nextTrip());
flow.head();
await Promise.all([flow.stops(), flow.seats()]);
