import { getJson, pick, table } from "/lib/kit.js";

function show({ tanks }) {
  pick("#tanks").replaceChildren(table(["Tank", "°C"], tanks.map((t) => [t.id, t.temp])));
  pick("#mode").textContent = `Updated ${new Date().toLocaleTimeString("en-GB")}`;
}

function poll() {
  getJson("/api/tanks").then(show).finally(() => setTimeout(poll, 2000));
}

const stream = new EventSource("/api/tanks/stream");
stream.onmessage = ({ data }) => show(JSON.parse(data));
stream.onerror = () => {
  stream.close();
  console.warn("[tanks] no stream here, asking every two seconds");
  poll();
};
