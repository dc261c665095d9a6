# What a client is told beside answers; see told.py. X-BRIDGE-4, X-BRIDGE-9, X-BRIDGE-12, X-BRIDGE-13, X-LOG-2, X-LOG-3, X-LOG-5
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done
[ -f "$BUILD_DIR/test-plugins/fx.so" ] || { echo "1..0 # SKIP the plugins of the tests are not built"; exit 0; }
exec python3 -B "$(dirname "$0")/told.py"
