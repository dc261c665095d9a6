# Sourced: goes to an empty folder `tmp`, which is removed at the end. `root` is the source folder, `count`
# the tests so far. Arguments: programs of BUILD_DIR without which there is nothing to test.
set -u
root=$PWD
for program in "$@"; do
    if [ ! -x "$BUILD_DIR/bin/$program" ]; then
        echo "1..0 # SKIP $program is not built"
        exit 0
    fi
done
PATH=$BUILD_DIR/bin:$PATH
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
count=0

# verdict NAME STATUS: one test; where it failed, what the files `out` and `log` have.
verdict() {
    count=$((count + 1))
    if [ "$2" = 0 ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        cat out log 2>/dev/null | head -n 60 | sed 's/^/# /'
    fi
}
