import { getJson } from '/assets/lib/http.js';
import { $, h } from '/assets/lib/dom.js';

const KEPT = 8;

class Live {
  #source = null;
  #rows = [];

  open() {
    this.#source = new EventSource('/stream/weather');
    this.#source.onmessage = ({ data }) => this.#take(JSON.parse(data));
    this.#source.onopen = () => { $('#line').textContent = 'live'; };
    this.#source.onerror = () => console.warn('weather: the line was closed, it opens again by itself');
  }

  #take(value) {
    this.#rows = [value, ...this.#rows].slice(0, KEPT);
    $('#now').replaceChildren(...this.#rows.map(row => h('li', {}, `No. ${row.n}: ${row.temp} °C, ${row.rain ? 'rain' : 'dry'}`)));
  }
}

new Live().open();
const { days } = await getJson('/api/weather/outlook');
$('#days').replaceChildren(...days.map(day => h('li', {}, `${day.day}: up to ${day.max} °C`)));
