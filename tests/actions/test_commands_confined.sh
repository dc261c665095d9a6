# The same, confined as `actions.confine` has it by default.
. tests/support/scratch.sh toolhost
exec python3 "$root/tests/actions/commands.py" "$BUILD_DIR" on
