# test.sh CHECKOUT COMMAND SECONDS HOW [TEST]: run the tests of a checkout. Prints one JSON object; fails
# only if there is nothing to run, or, where HOW is must_pass, if they do not pass.
. ./programs/common.sh
checkout=$1 command=$2 seconds=$3 how=$4 name=${5-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

[ -n "$command" ] || command=$(test_command_of "$checkout") ||
    fail "nobody knows how tests run here: start the server with --set test_command='...'"
run_once "$checkout" "$name" "$command" "$seconds" "$work/out"
case $code in
0) outcome=passed ;;
124) outcome=timed_out ;;
126 | 127) outcome=could_not_run ;;
*) outcome=failed ;;
esac
if [ "$how" = must_pass ]; then
    [ "$outcome" = passed ] || fail "the tests have not passed: $outcome, exit status $code after $took s"
fi
as_text <"$work/out" |
    FOLDER=$checkout TEST=$name COMMAND=$command OUTCOME=$outcome CODE=$code TOOK=$took LC_ALL=C \
        awk -f programs/json.awk -f programs/tests.awk | iconv -c -f UTF-8 -t UTF-8
