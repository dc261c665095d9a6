import { api } from "/shared/api.js";
import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import "./job-sheet.js";

mountShell({ hero: "winter" });

async function list() {
  const { jobs } = await api.get("/api/jobs");
  fill("#jobs", ...jobs.map((job) => h("div", { class: "card job", id: job.id },
    h("span", {}, `${job.at} ${job.title}, ${job.place}`),
    h("em", {}, job.state),
    h("button", { type: "button", onclick: () => open(job) }, "Open"))));
}

function open(job) {
  fill("#sheets", h("job-sheet", { "data-job": job.id }));
}

$("#sheets").addEventListener("done", () => setTimeout(list, 1500));
$("#sheets").addEventListener("refused", ({ detail }) => alert(`${detail.title} has gone to a colleague.`));
list();
