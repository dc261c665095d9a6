#!/usr/bin/env bash
# Programs in which at most one known quirk of judge (b) can act: nearly all of them must be agreed on, so
# that what they show is not hidden behind the others.
set -u
cd "$(dirname "$0")" || exit 1
if ! command -v python3 >/dev/null; then
    echo "1..0 # skip no python3"
    exit 0
fi
exec python3 -B differential.py "$BUILD_DIR/bin/mangle" --count "$((60 * ${TEST_ROUNDS:-1}))" --triggers one --tap
