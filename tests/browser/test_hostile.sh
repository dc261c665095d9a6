# Pages that mean no good: tests/browser/hostile/server.py says what each does, run.py what holds all the same.
# Every other of them; test_hostile_even.sh has the rest.
set -u
bin=$BUILD_DIR/bin/manglecp
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
[ -x "$bin" ] || skip "manglecp is not built"
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || skip "there is no Chromium"
exec python3 -B tests/browser/hostile/run.py "$bin" domains/browser "${1:-odd}"
