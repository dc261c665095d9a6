export function open(target) {
  target.innerHTML = ["60 Hz", "230 Hz", "910 Hz", "4 kHz", "14 kHz"]
    .map((band) => `<label>${band} <input type="range" min="-12" max="12" value="0"></label>`)
    .join("<br>");
}
