import { escape, html } from "/assets/lib/dom.js";

const row = (lesson, names) => html`<li><b>${lesson.at}</b> ${escape(lesson.title)} with ${escape(names.get(lesson.trainer))}
  <span class="muted">${lesson.free} places</span></li>`;

export function timetable(lessons, names) {
  if (!lessons.length) return `<p class="muted">No classes on this day at your studio.</p>`;
  return html`<ul>${lessons.map((lesson) => row(lesson, names))}</ul>`;
}

export const notice = (entry) => html`<p class="muted">${escape(entry.text)}</p>`;
