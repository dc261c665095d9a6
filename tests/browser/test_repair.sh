# A page is diagnosed, repaired and looked at again by a model, over MCP and in a real Chromium: tests/browser/repair.py.
set -u
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done
if ! command -v chromium-headless-shell >/dev/null && ! command -v chromium >/dev/null; then
    echo "1..0 # SKIP there is no Chromium"
    exit 0
fi
export MACHINA_TOOLHOST_RLIMIT_AS_MB=0
exec python3 -B tests/browser/repair.py
