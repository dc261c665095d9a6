import { getJSON } from "/lib/http.js";
import { h, put } from "/lib/dom.js";
getJSON("/api/quay").then((quays) => put("#quays", quays.map((x) => h("li", {}, `Quay ${x.quay}: ${x.ship}`))));
getJSON("http://127.0.0.1:@@METEO@@/survey/next").then((s) => { put("#survey", s.question); document.querySelector("#survey").hidden = false; },
  () => console.info("survey: none today"));
