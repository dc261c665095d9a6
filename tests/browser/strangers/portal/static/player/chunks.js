// Written by the build: logical name -> file with content hash.
export const chunks = {
  equalizer: "/static/player/equalizer.7c1e09.js",
  lyrics: "/static/player/lyrics.b2240f.js",
};

export const load = (name) => import(chunks[name]);
