// written by the build
export const chunks = { player: './player-8c41d0.js', results: './results-11fe27.js' };
