# The tour of domains/workspace/README.md works as it says.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ] || [ ! -e "$BUILD_DIR/plugins/git.so" ] || ! command -v git >/dev/null; then
    echo "1..0 # SKIP manglecp or its plugin git is not built, or git is not installed"
    exit 0
fi
exec python3 tests/docs/blocks.py "$BUILD_DIR" domains/workspace/README.md
