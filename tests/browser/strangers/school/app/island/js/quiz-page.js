import { api } from '/assets/api.js';
import { chunks } from './manifest.js';

const state = document.querySelector('#state');
const start = document.querySelector('#start');
const { quiz } = await api('/quizzes/5');
document.querySelector('#title').textContent = quiz.title;

start.addEventListener('click', async () => {
  start.disabled = true;
  state.textContent = 'One moment…';
  try {
    const { QuizPlayer } = await import(chunks.player);
    new QuizPlayer(document.querySelector('#quiz'), quiz).start();
  } catch (error) {
    console.error('quiz player', error);
    state.textContent = 'The quiz could not be started. Please try again later.';
    start.disabled = false;
  }
});
