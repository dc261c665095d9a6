# What docs/selectors.md tells whoever writes a policy works, and says what comes out.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
if [ ! -x /usr/bin/python3 ] && [ ! -x /usr/local/bin/python3 ]; then
    echo "1..0 # SKIP no python3 where a policy's interpreter may lie"
    exit 0
fi
exec python3 tests/docs/blocks.py "$BUILD_DIR" docs/selectors.md
