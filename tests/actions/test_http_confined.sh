# The same as test_http_actions.sh, confined as `actions.confine` has it by default.
. tests/support/scratch.sh toolhost
exec python3 "$root/tests/actions/http_actions.py" "$BUILD_DIR" on
