# The official Python SDK holds a conversation with the bridge; see sdk_python.py. MCP_PYTHON: a Python that has it.
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done
[ -f "$BUILD_DIR/test-plugins/fx.so" ] || { echo "1..0 # SKIP the plugins of the tests are not built"; exit 0; }
exec "${MCP_PYTHON:-python3}" -B "$(dirname "$0")/sdk_python.py" "$@"
