# What tests of confinement show to root, once more for an ordinary user: the same programs, each as a user of its own, because
# the kernel counts processes by user, in a control group that root gives to that user where one can be made. Where this is not root they run as they are, and there is nothing to do here.
. tests/support/scratch.sh
programs="confine_test_calls confine_test_programs confine_test_group toolhost_test_confined_plugins toolhost_test_hostile_plugins"
if [ "$(id -u)" != 0 ]; then
    echo "1..0 # SKIP this is an ordinary user already"
    exit 0
fi
if ! setpriv --reuid=61000 --regid=61000 --clear-groups test -x "$BUILD_DIR/tests/confine_test_calls"; then
    echo "1..0 # SKIP the build folder is closed to other users, or the tests are not built"
    exit 0
fi
cd "$root" || exit 1
own=$(sed -n 's/^0:://p' /proc/self/cgroup)
user=61000 groups=()
for program in $programs; do
    user=$((user + 1)) group=
    for mount in /sys/fs/cgroup/unified /sys/fs/cgroup; do
        [ -f "$mount$own/cgroup.procs" ] && group=$(mktemp -d "$mount${own%/}/test-ordinary-XXXXXX" 2>/dev/null) && break
    done
    if [ -n "$group" ]; then
        chown "$user" "$group" "$group/cgroup.procs"
        groups+=("$group")
    fi
    sh -c '[ -z "$1" ] || echo 0 >"$1/cgroup.procs"
           user=$2
           shift 2
           exec setpriv --reuid="$user" --regid="$user" --clear-groups env CMOCKA_MESSAGE_OUTPUT=TAP \
               MACHINA_TOOLHOST_RLIMIT_NPROC=500 "$@"' sh "$group" "$user" "$BUILD_DIR/tests/$program" >"$tmp/$program" 2>"$tmp/$program.log" &
done
wait
for program in $programs; do
    while read -r line; do
        case $line in
        "ok "*) verdict "$program as an ordinary user: ${line##* }" 0 ;;
        "not ok "*SKIP*) echo "# $program: ${line##* } is for root, or is skipped for root as well" ;;
        "not ok "*)
            grep -v "^ok" "$tmp/$program" | cat - "$tmp/$program.log" >"$tmp/log"
            verdict "$program as an ordinary user: ${line##* }" 1
            ;;
        esac
    done <"$tmp/$program"
    grep -q "^1\.\." "$tmp/$program" && ! grep -q "AddressSanitizer" "$tmp/$program.log"
    verdict "$program runs as an ordinary user" $?
done
for group in "${groups[@]}"; do
    for _ in $(seq 100); do
        rmdir "$group" 2>/dev/null && break
        sleep 0.02
    done
done
echo "1..$count"
