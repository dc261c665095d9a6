# The pages about actions in Python, JavaScript, over HTTP and from MCP servers: every program, file and output in them.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
exec python3 tests/docs/blocks.py "$BUILD_DIR" docs/actions-in-python.md docs/actions-in-javascript.md docs/actions-over-http.md docs/actions-from-mcp.md docs/import.md
