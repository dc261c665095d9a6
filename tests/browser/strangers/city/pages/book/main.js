import { mount } from '/lib/nano.js';
import { Booking } from './booking.js';

mount(Booking, document.getElementById('app'));
