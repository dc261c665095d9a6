# For tests of the program mangle: sourced from a script that stands in the source folder. Goes to an
# empty folder, which is removed at the end; `mangle` is the program, `count` the tests so far.
. tests/support/scratch.sh
mangle=$BUILD_DIR/bin/mangle

# is NAME GOT WANTED: one test.
is() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        printf 'expected:\n%s\ngot:\n%s\n' "$3" "$2" | sed 's/^/#   /'
    fi
}

# skip NAME WHY
skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# says COMMAND ARGUMENT...: what mangle prints, what it says, and its status, as one text.
says() {
    "$mangle" "$@" 2>&1
    echo "status $?"
}

leading=()
# run NAME STATUS STDOUT STDERR-PART ARGUMENT...: one test of mangle, with the words of `leading` first.
# STDERR-PART is a fixed string that standard error holds; empty: standard error is empty.
run() {
    local name=$1 status=$2 want=$3 part=$4 got rc said=0
    shift 4
    count=$((count + 1))
    got=$("$mangle" "${leading[@]}" "$@" 2>stderr </dev/null)
    rc=$?
    if [ -n "$part" ]; then
        grep -qF -- "$part" stderr || said=1
    elif [ -s stderr ]; then
        said=1
    fi
    if [ "$rc" = "$status" ] && [ "$got" = "$want" ] && [ $said = 0 ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        echo "# mangle ${leading[*]} $* -> status $rc, expected $status"
        printf 'expected:\n%s\ngot:\n%s\nstderr:\n%s\n' "$want" "$got" "$(cat stderr)" | sed 's/^/#   /'
    fi
}
