import { getJson, h, pick, table } from "/lib/kit.js";

const current = await getJson("/api/drafts/current").catch((problem) => {
  if (problem.status === 404) return null;
  throw problem;
});
const [{ drafts }, { letters }] = await Promise.all([getJson("/api/drafts"), getJson("/api/drafts/sent")]);

pick("#drafts").append(current || drafts.length
  ? table(["Subject"], drafts.map((d) => [d.subject]))
  : h("p", { className: "empty" }, "You have no draft. Begin a new letter."));
pick("#sent").append(table(["Subject", "Sent", "Readers"], letters.map((l) => [l.subject, l.sent, l.readers])));
try {
  JSON.parse(localStorage.getItem("letters.columns") || "");
} catch {
  console.warn("[letters] no columns were kept, taking the usual ones");
}
