# Tools, prompts and resources as they are listed; see listed.py. X-BRIDGE-5, X-BRIDGE-11, X-BRIDGE-12, X-SKILL-5, X-CACHE-3
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done
[ -f "$BUILD_DIR/test-plugins/fx.so" ] || { echo "1..0 # SKIP the plugins of the tests are not built"; exit 0; }
exec python3 -B "$(dirname "$0")/listed.py"
