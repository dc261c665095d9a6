# format.sh CHECKOUT COMMAND -- PATH...: lay out files with a command of the operator's.
. ./programs/common.sh
cd "$1" || exit 1
command=$2
shift 3
[ -n "$command" ] || fail "nobody knows how files are laid out here: start the server with --set format_command='...'"
for path in "$@"; do
    case $path in /* | .. | ../* | */.. | */../*) fail "$path is not below the checkout" ;; esac
    [ -f "$path" ] && [ ! -L "$path" ] || fail "$path is no file of the checkout"
done
for path in "$@"; do # no name is an option
    shift
    set -- "$@" "./$path"
done
sh -c "$command"' "$@"' sh "$@"
