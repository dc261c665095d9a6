# Programs as actions, and what hostile ones can do: nothing but fail. See commands.py.
. tests/support/scratch.sh toolhost
exec python3 "$root/tests/actions/commands.py" "$BUILD_DIR"
