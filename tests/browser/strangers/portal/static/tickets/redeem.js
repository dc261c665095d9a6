import { api, ApiError } from "../lib/api.js";

const form = document.querySelector("#redeem");
const answer = document.querySelector("#answer");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  answer.textContent = "Checking…";
  try {
    const voucher = await api("/vouchers/redeem", { method: "POST", body: { code: form.elements.code.value } });
    answer.textContent = `${voucher.amount} € were added to your account.`;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) {
      answer.textContent = error.message;
      form.elements.code.setAttribute("aria-invalid", "true");
      return;
    }
    answer.textContent = "Vouchers cannot be redeemed at the moment.";
  }
});
