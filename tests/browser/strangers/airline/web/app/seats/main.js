import { $, fill } from '/lib/dom.js';
import { currentTrip } from './trip.js';
import { seatsFor, drawRow } from './seatmap.js';

const trip = await currentTrip();
$('#trip').textContent = `${trip.flight}, ${trip.cabin}, ${trip.traveller.name}`;
const rows = await seatsFor(trip);
fill($('#rows'), rows.map(drawRow));
$('#none').hidden = rows.length > 0;
