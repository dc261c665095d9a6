# bisect.sh CHECKOUT COMMAND SECONDS GOOD BAD [TEST]: which commit after GOOD, BAD included, first makes the
# tests fail. Prints one JSON object.
#
# The checkout is not touched: commits are taken out into a repository of our own, which borrows the
# checkout's objects and has no configuration, no hooks and no other names. Both ends are tried first, so
# that what is found is not an assumption. It ends in time: with all that is known then. A run that exits
# with 125 says nothing (the commit does not build), as git bisect has it.
. ./programs/common.sh
checkout=$1 command=$2 seconds=$3 good=$4 bad=$5 name=${6-}
deadline=$(($(date +%s) + seconds))
rm -rf "${TMPDIR:-/tmp}"/manglecp-bisect.* # of a run that was killed
work=$(mktemp -d "${TMPDIR:-/tmp}/manglecp-bisect.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
tree=$work/tree

commit_of() { git_in "$checkout" rev-parse --verify --quiet --end-of-options "$1^{commit}"; }
good=$(commit_of "$good") || fail "the revision for good is no commit"
bad=$(commit_of "$bad") || fail "the revision for bad is no commit"
git_in "$checkout" merge-base --is-ancestor "$good" "$bad" || fail "good is no ancestor of bad"
[ "$good" != "$bad" ] || fail "good and bad are the same commit"

mkdir "$tree" && borrow "$checkout" "$tree/.git" || exit 1
git_in "$tree" config core.bare false

: >"$work/tested"
# try COMMIT: sets outcome to passed, failed, skipped or late
try() {
    time_left=$((deadline - $(date +%s)))
    outcome=late
    [ "$time_left" -gt 0 ] || return 0
    git_in "$tree" checkout -q --force --detach "$1" || fail "commit $1 cannot be taken out"
    [ -n "$command" ] || command=$(test_command_of "$tree") ||
        fail "nobody knows how tests run here: start the server with --set test_command='...'"
    run_once "$tree" "$name" "$command" "$time_left" "$work/out"
    case $code in
    0) outcome=passed ;;
    125) outcome=skipped ;;
    124) outcome=late ;;
    126 | 127) fail "the tests cannot be run: exit status $code at commit $1: $(as_text <"$work/out" | tail -n 1 | cut -c 1-200)" ;;
    *) outcome=failed ;;
    esac
    echo "$1 $outcome $took" >>"$work/tested"
    [ "$outcome" != failed ] || cp "$work/out" "$work/failed"
}
goods="^$good" # all that passed, for git: what they reach is no suspect
# shellcheck disable=SC2086
range() { git_in "$tree" rev-list "$@" "$bad" $goods; }
left() { range --count; }
total=$(left)

# answer STATE [CULPRIT]
answer() {
    culprit=${2-}
    about=
    if [ -n "$culprit" ]; then
        about=$(git_in "$tree" log -1 --format='%an%x1f%cI%x1f%s' "$culprit" -- | as_text)
        git_in "$tree" checkout -q --force --detach "$culprit" 2>/dev/null
    fi
    as_text <"$work/failed" 2>/dev/null | tail -n 30 |
        STATE=$1 CULPRIT=$culprit ABOUT=$about GOOD=$good BAD=$bad LEFT=$(left) TOTAL=$total TEST=$name LC_ALL=C awk \
            -f programs/json.awk -f programs/bisect.awk - "$work/tested" | iconv -c -f UTF-8 -t UTF-8
    exit 0
}

echo "progress 0 trying both ends" >&2
: >"$work/failed"
try "$bad"
case $outcome in
passed) answer bad_passes ;;
skipped) answer bad_is_no_answer ;;
late) answer out_of_time ;;
esac
try "$good"
case $outcome in
failed) answer good_fails ;;
skipped) answer good_is_no_answer ;;
late) answer out_of_time ;;
esac

skips=
while [ "$(left)" -gt 1 ]; do
    # The commit in the middle of those between, none that was skipped.
    next=
    for one in $(range --bisect-all | awk '{ print $1 }'); do
        case " $skips $bad " in *" $one "*) ;; *) next=$one && break ;; esac
    done
    [ -n "$next" ] || answer only_skipped_left
    still=$(left)
    echo "progress $((100 - 100 * still / (total + 1))) $still commits left" >&2
    try "$next"
    case $outcome in
    passed) good=$next goods="$goods ^$next" ;;
    failed) bad=$next ;;
    skipped) skips="$skips $next" ;;
    late) answer out_of_time ;;
    esac
done
answer found "$bad"
