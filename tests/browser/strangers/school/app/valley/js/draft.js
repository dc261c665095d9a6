const KEY = 'lernhafen.draft.quiz-5';

export function saveDraft(answers) {
  localStorage.setItem(KEY, answers);
}

export function loadDraft() {
  const text = localStorage.getItem(KEY);
  return text ? JSON.parse(text) : {};
}
