(() => {
  const form = document.querySelector("#refund");
  form.way.addEventListener("change", () => {
    document.querySelector("#bank").classList.toggle("extra", form.way.value !== "bank");
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch("/api/refunds", { method: "POST", body: new URLSearchParams(new FormData(form)) });
    document.querySelector("#done").textContent = answer.ok ? "Your request is on its way." : "Please try again.";
  });
})();
