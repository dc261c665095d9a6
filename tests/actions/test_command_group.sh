# A program started as an action cannot leave the process group that ends with its call: confined and not, as the user who runs
# this and, if that is root, as an ordinary user as well. See test_group in commands.py.
. tests/support/scratch.sh toolhost
users=self
if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=61100 --regid=61100 --clear-groups test -x "$BUILD_DIR/bin/toolhost" && users="self ordinary" ||
        echo "# not as an ordinary user: the build folder is closed to other users"
fi
for user in $users; do
    as=
    [ "$user" = self ] || as="setpriv --reuid=61100 --regid=61100 --clear-groups"
    for confine in off on; do
        (cd "$root" && exec $as python3 -B "$root/tests/actions/commands.py" "$BUILD_DIR" "$confine" test_group) >out 2>log
        status=$?
        while read -r line; do
            case $line in
            "ok "*) verdict "$user, confine $confine: ${line#*- }" 0 ;;
            "not ok "*) verdict "$user, confine $confine: ${line#*- }" 1 ;;
            esac
        done <out
        grep -q "^1\.\." out
        verdict "$user, confine $confine: all of it ran" $((status + $?))
    done
done
echo "1..$count"
