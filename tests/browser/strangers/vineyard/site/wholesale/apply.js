import { mark, toWire } from "/wholesale/fields.js";

const form = document.querySelector("#apply");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  const response = await fetch("/api/wholesale", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(toWire(form)),
  });
  const body = await response.json();
  button.disabled = false;
  if (response.status === 422) return mark(form, body.errors);
  document.querySelector("#done").textContent = `Thank you. Your reference is ${body.reference}.`;
});
