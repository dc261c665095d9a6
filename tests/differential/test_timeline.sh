#!/usr/bin/env bash
# Random temporal programs mean what a judge finds that looks at every instant (section 14), and
# under limits they end whole or at the limit. Seeds are fixed; `make timeline` runs far more.
# After a failure, run one seed alone:
#
#     python3 -B tests/differential/timeline.py build-asan/bin/mangle --from SEED --programs 1
#
# M-TEMP-1, M-TEMP-13, M-TEMP-15, M-TEMP-20, M-TEMP-21, M-TEMP-22, M-TEMP-30, M-TEMP-32, M-TEMP-33,
# M-TEMP-34, M-TEMP-40, M-TEMP-42, M-TEMP-44, M-TEMP-50, M-TEMP-51, M-TEMP-53, M-TEMP-54, M-TEMP-55,
# M-TEMP-56, M-TEMP-57, M-TEMP-70, M-TEMP-71, M-TEMP-72; limits: M-TEMP-23, M-LIM-4, M-LIM-10
set -u
if ! command -v python3 >/dev/null; then
    echo "1..0 # skip no python3"
    exit 0
fi
failed=0
run() {
    local number=$1
    shift
    python3 -B tests/differential/timeline.py "$BUILD_DIR/bin/mangle" "$@" >"$out" || failed=1
    sed -e "s/ok 1 /ok $number /" -e '/^1\.\.1$/d' "$out"
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
run 1 --programs "$((600 * ${TEST_ROUNDS:-1}))"
run 2 --programs "$((150 * ${TEST_ROUNDS:-1}))" --limits
echo "1..2"
exit $failed
