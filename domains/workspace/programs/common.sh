# What the programs of this domain share; read by sh. They run in the domain's folder.
set -u

# git without anything that a checkout or its owner could have it run: hooks, a monitor, signatures,
# differences and texts made by programs, transports. The operator named the checkout, so whose it is
# does not matter. An object that is missing is not fetched: what a remote's address names may be a program,
# and GIT_ALLOW_PROTOCOL, unlike protocol.allow, outweighs what the checkout says of single protocols.
git_in() { # FOLDER WORD...
    folder=$1
    shift
    GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 LC_ALL=C \
        GIT_ALLOW_PROTOCOL='' GIT_NO_LAZY_FETCH=1 \
        git -C "$folder" --no-pager --literal-pathspecs -c core.hooksPath=/dev/null -c core.fsmonitor=false \
        -c log.showSignature=false -c advice.detachedHead=false \
        -c "safe.directory=$folder" "$@"
}

# path_in CHECKOUT NAME: where a file of its repository is, worktrees considered.
path_in() {
    path=$(git_in "$1" rev-parse --git-path "$2") || return 1
    case $path in /*) echo "$path" ;; *) echo "$1/$path" ;; esac
}

# borrow CHECKOUT FOLDER: a repository in FOLDER that has the checkout's objects and nothing else of it: no
# configuration, no hooks, no names.
borrow() {
    objects=$(path_in "$1" objects) && shallow=$(path_in "$1" shallow) || return 1
    git_in / init -q --bare --template= "$2" || return 1
    mkdir -p "$2/objects/info"
    echo "$objects" >"$2/objects/info/alternates"
    if [ -f "$shallow" ]; then cp -- "$shallow" "$2/shallow" || return 1; fi
}

# The last line of standard error is what people are told.
fail() {
    echo "$*" >&2
    exit 1
}

# How tests run in FOLDER if nobody has said it: prints a command for a shell, "$1" is the test asked for.
test_command_of() {
    if [ -f "$1/Makefile" ] && grep -qE '^(check|test):' "$1/Makefile"; then
        target=$(grep -oE '^(check|test):' "$1/Makefile" | sort -r | head -n 1)
        echo "make -s ${target%:}" '${1:+TEST="$1"}'
    elif [ -f "$1/Cargo.toml" ]; then
        echo 'cargo test --offline -q -- ${1:+"$1"}'
    elif [ -f "$1/go.mod" ]; then
        echo 'go test ${1:+-run "$1"} ./...'
    elif [ -f "$1/package.json" ] && grep -q '"test"' "$1/package.json"; then
        echo 'npm test --silent -- ${1:+"$1"}'
    elif [ -f "$1/pyproject.toml" ] || [ -f "$1/setup.py" ] || [ -f "$1/pytest.ini" ] || [ -f "$1/tox.ini" ]; then
        echo 'python3 -m pytest -q ${1:+-k "$1"}'
    else
        return 1
    fi
}

# run_once FOLDER TEST COMMAND SECONDS FILE: runs it, with the end of what it printed in FILE. Sets `code`
# (124: its time was over) and `took`. When its time is over, what it started has to go as well; nothing
# can leave this process group, so it is asked as a whole, but for this shell and whoever keeps the output.
run_once() {
    began=$(date +%s)
    trap : TERM
    {
        (
            cd "$1" && exec timeout --foreground -k 5 "$4" sh -c "$3" sh ${2:+"$2"}
        ) </dev/null
        ended=$?
        echo "$ended" >"$5.code"
        if [ "$ended" = 124 ] || [ "$ended" = 137 ]; then kill -s TERM 0; fi
    } 2>&1 | (
        trap '' TERM
        exec tail -c 200000
    ) >"$5"
    code=$(cat "$5.code")
    if [ "$code" = 137 ]; then code=124; fi
    took=$(($(date +%s) - began))
}

# What was printed as text that JSON may hold.
as_text() { iconv -c -f UTF-8 -t UTF-8 2>/dev/null | tr -d '\000'; }
