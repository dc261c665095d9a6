// Counts clicks. The name below was dropped from the build a while ago, and nobody noticed: an error
// that has nothing to do with anything the server answered.
function followClicks() {
  legacyTracker.follow(document.querySelector("#theme"));
}

setTimeout(followClicks, 700);
