import { $ } from '../lib/dom.js';
import { open } from './session.js';

open('presence', ({ colleagues }) => { $('#colleagues').textContent = colleagues.join(', '); });
