// Room set aside in the browser's storage, so that a long flight without a line does not end in a full disk.
(function () {
  const KEY = 'folio:reserve';
  const CHUNK = 64 * 1024;
  const CHUNKS = 1;
  const SMALLEST = 16;

  function reserve() {
    let size = CHUNK;
    let n = 0;
    while (n < CHUNKS && size >= SMALLEST) {
      try {
        localStorage.setItem(`${KEY}:${n}`, '0'.repeat(size));
        n += 1;
      } catch (error) {
        size /= 2;
      }
    }
  }

  function release() {
    for (let n = 0; n < CHUNKS; n++) localStorage.removeItem(`${KEY}:${n}`);
  }

  Folio.offline = { reserve, release };
  addEventListener('offline', release);
})();
