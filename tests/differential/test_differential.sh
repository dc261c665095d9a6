#!/usr/bin/env bash
# 300 random programs before the judges of this folder; see README.md. The seeds are fixed. A
# failure prints the smallest program that shows it; one seed alone:
#
#     python3 tests/differential/differential.py build/bin/mangle --seed SEED --count 1
set -u
cd "$(dirname "$0")" || exit 1
if ! command -v python3 >/dev/null; then
    echo "1..0 # skip no python3"
    exit 0
fi
exec python3 -B differential.py "$BUILD_DIR/bin/mangle" --count "$((300 * ${TEST_ROUNDS:-1}))" --tap
