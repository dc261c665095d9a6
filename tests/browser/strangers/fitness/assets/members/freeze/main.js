import { $ } from "/assets/lib/dom.js";
import { FormClient } from "./client.js";

const client = new FormClient();
const months = () => Number($("#months").value);
const say = (text, kind = "") => { $("#answer").className = kind; $("#answer").textContent = text; };

$("#quote").addEventListener("click", async () => {
  const quote = await client.post("/api/freeze/quote", { months: months() });
  say(`A break of ${quote.months} months costs ${quote.fee} euros.`);
  $("#confirm").disabled = false;
});

$("#confirm").addEventListener("click", async () => {
  try {
    await client.post("/api/freeze/confirm", { months: months() });
    say("Your membership pauses from next month.");
  } catch {
    say("Your membership could not be paused. Please ask at your studio.", "alert");
  }
});
