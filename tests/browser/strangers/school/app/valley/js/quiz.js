import { h, mount } from '/assets/view.js';
import { loadDraft, saveDraft } from './draft.js';

async function start() {
  const response = await fetch('/valley/api/quizzes/5');
  const { quiz } = await response.json();
  const answers = loadDraft();
  const choose = (question, option) => {
    answers[question.id] = option;
    saveDraft(answers);
    render();
  };
  const render = () => mount('#quiz', h('h2', {}, quiz.title), quiz.questions.map((q) => h('div', {},
    h('p', {}, q.text),
    q.options.map((o) => h('button', { id: `${q.id}-${o.toLowerCase()}`, 'aria-pressed': String(answers[q.id] === o), onclick: () => choose(q, o) }, o)))));
  render();
}

start();
