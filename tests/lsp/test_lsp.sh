#!/usr/bin/env bash
# mangle lsp, driven over its standard input and output. One test alone:
#
#     python3 tests/lsp/sessions.py build-debug/bin/mangle NAME
set -u
if ! command -v python3 >/dev/null; then
    echo "1..0 # skip no python3"
    exit 0
fi
exec python3 -B tests/lsp/sessions.py "$BUILD_DIR/bin/mangle"
