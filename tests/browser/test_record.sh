# Recordings of pages in a real browser: manglecp-record, and record_page of one server after another.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ] || [ ! -x "$BUILD_DIR/bin/toolhost" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
if ! command -v chromium-headless-shell >/dev/null && ! command -v chromium >/dev/null; then
    echo "1..0 # SKIP there is no Chromium"
    exit 0
fi
export PYTHONPATH=clients/python/src MANGLECP=$BUILD_DIR/bin/manglecp MACHINA_TOOLHOST_RLIMIT_AS_MB=0
exec python3 -B tests/browser/record_cases.py
