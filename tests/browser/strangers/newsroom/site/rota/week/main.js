import { h, $, fill } from '/lib/dom.js';
import { load } from './api.js';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
class Rota {
  constructor(people, week) {
    this.people = people;
    this.shifts = week?.shifts ?? [];
  }
  of(person, day) { return this.shifts.filter((shift) => shift.person === person && shift.day === day); }
  render() {
    fill('#rota', h('tr', {}, h('th', {}, ''), DAYS.map((day) => h('th', {}, day))),
      this.people.map((one) => h('tr', {}, h('th', {}, one.name), DAYS.map((_, day) => h('td', {},
        this.of(one.id, day).map((shift) => shift.desk).join(', ') || '–')))));
    $('#state').textContent = this.shifts.length ? `${this.shifts.length} shifts` : 'No shifts have been drawn up for this week.';
  }
}
try {
  const [{ people }, week, { holidays }] = await Promise.all(
    [load('/api/rota/people'), load('/api/rota/weeks/49'), load('/api/rota/holidays')]);
  $('#holidays').textContent = holidays.map((one) => `${one.name}: ${one.day}`).join(', ');
  new Rota(people, week).render();
} catch (error) {
  $('#state').textContent = `The rota could not be loaded (${error.message}).`;
}
