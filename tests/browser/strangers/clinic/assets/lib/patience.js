(function (Linden) {
  'use strict';
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  async function within(limit, run) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), limit);
    try {
      return await run(stop.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async function again(times, wait, run) {
    for (let left = times; ; left -= 1) {
      try {
        return await run();
      } catch (error) {
        if (left <= 1) throw error;
        await pause(wait);
      }
    }
  }

  Linden.patience = { pause, within, again };
})(window.Linden);
