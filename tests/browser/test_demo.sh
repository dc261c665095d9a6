# The demo tells what it promises: on recordings, and live where there is a browser.
set -u
if [ ! -x "$BUILD_DIR/bin/manglecp" ] || [ ! -x "$BUILD_DIR/bin/toolhost" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
export MANGLECP=$BUILD_DIR/bin/manglecp MACHINA_TOOLHOST_RLIMIT_AS_MB=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# NAME, and what the demo is given
play() {
    local name=$1 out=$tmp/$1
    shift
    if ! DEMO_OUT="$tmp/work-$name" scripts/demo "$@" >"$out" 2>&1 </dev/null; then
        echo "# it failed"
        return 1
    fi
    # A cascade of five steps, its beginning and its end, and what no console says: which of them is the cause.
    grep -q ' 1\. GET /api/locales answered' "$out" || { echo "# no beginning"; return 1; }
    grep -q ' 5\. TypeError' "$out" || { echo "# no fifth step"; return 1; }
    grep -q '^  picture: /.*\.png$' "$out" && [ -s "$(sed -n 's/^  picture: //p' "$out")" ] || { echo "# no picture"; return 1; }
    grep -q '^  the page was faulty; it is healthy$' "$out" || { echo "# it is not healthy"; return 1; }
}
tell() { # NUMBER NAME ARGUMENTS...
    local number=$1 name=$2
    shift 2
    if play "$name" "$@"; then
        echo "ok $number - the demo, $name"
    else
        echo "not ok $number - the demo, $name"
        sed 's/^/# /' "$tmp/$name" | tail -60
        failed=1
    fi
}

echo 1..3
tell 1 recorded --recorded
if ! command -v chromium-headless-shell >/dev/null && ! command -v chromium >/dev/null; then
    echo "ok 2 - the demo, live # SKIP there is no Chromium"
else
    tell 2 live
    grep -q 'It is live' "$tmp/live" || echo "# it was not live"
fi
# Without a browser it says how to have one.
mkdir "$tmp/bin"
for program in bash env sh date sed awk tr grep cut diff cp rm mkdir tail head cat dirname readlink seq sleep; do
    ln -s "$(command -v "$program")" "$tmp/bin/$program"
done
if PATH=$tmp/bin DEMO_OUT=$tmp/work-bare scripts/demo >"$tmp/bare" 2>&1 </dev/null &&
    grep -q 'apt install chromium-headless-shell' "$tmp/bare"; then
    echo "ok 3 - the demo, without a browser"
else
    echo "not ok 3 - the demo, without a browser"
    sed 's/^/# /' "$tmp/bare" | tail -20
    failed=1
fi
exit $failed
