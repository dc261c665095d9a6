import { api } from '/assets/api.js';

export function uploadText(assignmentId, text) {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/plain' }), 'essay.txt');
  form.append('language', document.documentElement.lang);
  return api(`/assignments/${assignmentId}/submissions`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data' },
    body: form,
  });
}
