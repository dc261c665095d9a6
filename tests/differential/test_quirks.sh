#!/usr/bin/env bash
# Each known quirk of the reference implementation is recognised by what it alone does (quirk_cases.py).
set -u
cd "$(dirname "$0")" || exit 1
if ! command -v python3 >/dev/null; then
    echo "1..0 # skip no python3"
    exit 0
fi
exec python3 -B quirk_cases.py "$BUILD_DIR/bin/mangle"
