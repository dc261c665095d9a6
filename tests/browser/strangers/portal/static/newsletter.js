(function () {
  var form = document.getElementById("subscribe");
  var address = document.getElementById("print-address");
  var outcome = document.getElementById("outcome");

  form.elements.edition.addEventListener("change", function () {
    address.classList.toggle("collapsed", form.elements.edition.value !== "print");
  });

  form.addEventListener("submit", async function (event) {
    event.preventDefault();
    outcome.textContent = "Sending…";
    var body = Object.fromEntries(new FormData(form));
    var res = await fetch("/api/newsletter", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    outcome.textContent = res.ok ? "Thank you. Please confirm by the e-mail that we have sent." : "That did not work. Try again later.";
  });
})();
