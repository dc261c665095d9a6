# Every command in the documents works, every file in them is right, every output is what comes out.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
exec python3 tests/docs/blocks.py "$BUILD_DIR" README.md docs/serving.md docs/client.md docs/what-a-model-sees.md docs/tutorial.md docs/actions-from-commands.md docs/mangle-tools.md docs/mcp-clients.md docs/doctor.md docs/choosing-among-many-tools.md
