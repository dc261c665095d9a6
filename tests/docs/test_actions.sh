# The pages about actions in Python and JavaScript: every program, file and output in them.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "1..0 # SKIP Python 3.9 or later is not installed"
    exit 0
fi
pages=docs/actions-in-python.md
if command -v node >/dev/null && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ]; then
    pages="$pages docs/actions-in-javascript.md"
    exec python3 tests/docs/blocks.py "$BUILD_DIR" $pages
fi
python3 tests/docs/blocks.py "$BUILD_DIR" $pages | sed 's/^1\.\.\([0-9]*\)$/\1/' >"$BUILD_DIR/actions-docs.tap"
count=$(tail -1 "$BUILD_DIR/actions-docs.tap")
sed '$d' "$BUILD_DIR/actions-docs.tap"
echo "ok $((count + 1)) - docs/actions-in-javascript.md # SKIP Node 20 or later is not installed"
echo "1..$((count + 1))"
! grep -q '^not ok' "$BUILD_DIR/actions-docs.tap"
