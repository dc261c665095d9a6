# An address that others reach, too: who calls, how long, from where, and how much at once; see listen_cases.py.
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done
[ -f "$BUILD_DIR/test-plugins/fx.so" ] || { echo "1..0 # SKIP the plugins of the tests are not built"; exit 0; }
exec python3 -B "$(dirname "$0")/listen_cases.py" "$@"
