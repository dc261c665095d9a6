import { getJSON } from "/lib/http.js";
console.warn("[skerry] ticker: setting 'speed' is deprecated, use 'pace'");
fetch("http://127.0.0.1:@@NOBODY@@/ads/slot", { mode: "no-cors" }).catch((e) => console.error("ads:", e.message));
getJSON("/api/status").then((s) => { document.querySelector("#text").textContent = `${s.text} (${s.sailings} today).`; });
