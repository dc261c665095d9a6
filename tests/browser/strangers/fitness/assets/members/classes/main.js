import { $, $$ } from "/assets/lib/dom.js";
import * as api from "./api.js";
import { notice, timetable } from "./view.js";

const list = $("#timetable");

async function show(day) {
  const [studio, people] = await Promise.all([api.homeStudio(), api.trainers()]);
  const names = new Map(people.map((person) => [person.id, person.name]));
  const lessons = await api.classesOf(studio.id, day);
  list.innerHTML = timetable(lessons, names);
}

for (const button of $$("[data-day]")) button.addEventListener("click", () => show(button.dataset.day));

api.notices().then((all) => { $("#notices").innerHTML = all.map(notice).join(""); });
show("2027-03-01");
