import { $ } from '/lib/dom.js';
import { Ticker } from './ticker.js';
import { startSource } from './source.js';

new Ticker($('#ticker'));
startSource(150);
