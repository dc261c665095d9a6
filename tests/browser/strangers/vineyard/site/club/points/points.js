import { getJson, h, pick } from "/lib/kit.js";

const member = JSON.parse(localStorage.getItem("club.member") ?? '{"name":"Mme Vidal"}');

const load = (path, otherwise) => getJson(path, { credentials: "include" }).catch(() => otherwise);

pick("#name").textContent = member.name;

const [account, { news }] = await Promise.all([
  load("/api/club/points", { points: 0, tier: "Bronze" }),
  load("/api/club/news", { news: [] }),
]);

pick("#points").textContent = account.points;
pick("#tier").textContent = `${account.tier} member`;
pick("#news").append(...news.map((line) => h("li", {}, line)));
