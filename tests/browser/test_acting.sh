# Acting on pages, through the server and a real Chromium: tests/browser/acting.
set -u
bin=$BUILD_DIR/bin/manglecp
browser=
for name in chromium-headless-shell chromium; do
    if command -v "$name" >/dev/null; then browser=$name; fi
done
if [ ! -x "$bin" ] || [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP no manglecp, no Chromium or no python3"
    exit 0
fi
exec python3 tests/browser/acting/drive.py "$bin" domains/browser
