import { LiveBoard } from './live-board.js';

new LiveBoard(document.querySelector('#moves'), document.querySelector('#banner')).refresh();
