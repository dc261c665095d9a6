# domains/workspace on checkouts of known history, over the wire; see conversation.py.
if ! command -v git >/dev/null; then
    echo "1..0 # SKIP git is not installed"
    exit 0
fi
if [ ! -x "$BUILD_DIR/bin/manglecp" ] || [ ! -e "$BUILD_DIR/plugins/git.so" ]; then
    echo "1..0 # SKIP manglecp or its plugin git is not built"
    exit 0
fi
exec python3 -B "$(dirname "$0")/conversation.py" "$@"
