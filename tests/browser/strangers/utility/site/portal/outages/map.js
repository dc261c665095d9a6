const DISTRICTS = [["North", 10, 10], ["Hill", 110, 10], ["Harbour", 210, 10], ["Brook", 10, 85], ["Mill", 110, 85], ["Elm", 210, 85]];
const NS = "http://www.w3.org/2000/svg";

export function drawMap(svg, incidents) {
  const struck = new Set(incidents.map((incident) => incident.district));
  svg.replaceChildren(...DISTRICTS.flatMap(([name, x, y]) => {
    const box = document.createElementNS(NS, "rect");
    for (const [key, value] of Object.entries({ x, y, width: 95, height: 70, rx: 4 })) box.setAttribute(key, value);
    box.setAttribute("fill", struck.has(name) ? "#e2725b" : "#bfe3d0");
    const label = document.createElementNS(NS, "text");
    label.setAttribute("x", x + 10);
    label.setAttribute("y", y + 40);
    label.textContent = name;
    return [box, label];
  }));
}
