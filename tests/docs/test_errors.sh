# Every code has a page, every page a code, and what the pages show is so.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
exec python3 -B tests/docs/errors.py "$BUILD_DIR"
