#!/usr/bin/env bash
# Random temporal programs give, to the byte, what a naive evaluator in Python gives (section 14).
# Seeds are fixed. After a failure, run one seed alone:
#
#     python3 tests/mangle/naive_time_oracle.py build-debug/bin/mangle SEED
set -u
if ! command -v python3 >/dev/null; then
    echo "1..0 # skip no python3"
    exit 0
fi
exec python3 -B tests/mangle/naive_time_oracle.py "$BUILD_DIR/bin/mangle"
