import { $, fill, h } from "/shared/dom.js";
import { mountShell } from "/shared/shell.js";
import { statementService } from "./statement-service.js";

mountShell({ measure: true, hero: "winter" });

const row = ({ year, pages }) => h("li", {}, `Statement ${year}, ${pages} pages`);
const { statements } = await statementService.list();
fill("#list", ...statements.map(row));

$("#make").addEventListener("click", async () => {
  $("#make").disabled = true;
  $("#state").textContent = "Your statement is being made …";
  try {
    const made = await statementService.create(2025);
    $("#list").append(row(made));
    $("#state").textContent = "Done.";
  } catch {
    $("#state").textContent = "The statement for 2025 is not available yet. Please come back in January.";
  } finally {
    $("#make").disabled = false;
  }
});
