# Operations of HTTP APIs as actions, and what hostile servers can do: nothing but fail. See http_actions.py.
. tests/support/scratch.sh toolhost
exec python3 "$root/tests/actions/http_actions.py" "$BUILD_DIR"
