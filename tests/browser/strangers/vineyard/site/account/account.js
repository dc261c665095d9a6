import { pick, table } from "/lib/kit.js";

let token = sessionStorage.getItem("account.token") ?? "at-1";

async function signed(path, again = true) {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (response.status === 401 && again) {
    console.info("[account] renewing the session");
    const renewed = await fetch("/api/account/refresh", { method: "POST" });
    ({ token } = await renewed.json());
    return signed(path, false);
  }
  return response.json();
}

const account = await signed("/api/account");
pick("#who").textContent = account.name;
pick("#orders").append(table(["Order", "€"], account.orders.map((o) => [o.id, o.total.toFixed(2)])));
