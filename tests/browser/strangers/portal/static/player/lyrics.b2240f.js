export function open(target) { target.textContent = "No lyrics for this track."; }
