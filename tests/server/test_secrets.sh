# What others of the same user learn of a running server: nothing of its environment, memory and descriptors; and
# what its hosts learn of its environment: what is clean. As root, and as an ordinary user where this is root.
. "$(dirname "$0")/../support/scratch.sh"
for program in manglecp toolhost; do
    [ -x "$BUILD_DIR/bin/$program" ] || { echo "1..0 # SKIP $program is not built"; exit 0; }
done

export MANGLECP_TOKEN=secret-of-the-server A_KEY_BY_NAME=secret-by-name MACHINA_TOOLHOST_PASS_ENV=PROMISED PROMISED=yes
cp -r "$root/tests/domains/fixture" domain
chmod -R go-w domain
chmod 755 .

python=$(PATH=/usr/bin:/bin:$PATH command -v python3) # one that others can run, too
cp "$root/tests/server/trace.py" .

begin() { # as as_user, and the shell that says it becomes it: for the background
    if [ "$user" = root ]; then exec "$@"; else exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
}

as_user() { # the server's user, or nobody
    if [ "$user" = root ]; then "$@"; else setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
}

start() {
    : >out && : >log # what the one before said is not what this one says
    begin manglecp serve domain --listen 127.0.0.1:0 --plugins "$BUILD_DIR/test-plugins" --open-demo \
        >out 2>log &
    server=$!
    for _ in $(seq 300); do
        [ -r "/proc/$server/cmdline" ] || return 1
        grep -qi "ready\|listening" log out && return 0
        sleep 0.1
    done
    return 1
}

stop() {
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
}

check_server() {
    start || { verdict "a server starts as $user" 1; stop; return; }
    # Root sees the place where the environment was: it is wiped.
    if [ "$(id -u)" = 0 ]; then
        grep -aq "^manglecp" "/proc/$server/cmdline" && ! tr '\0' '\n' <"/proc/$server/environ" | grep -q "secret-\|MANGLECP_TOKEN"
        verdict "the environment that the kernel shows is wiped (as $user)" $?
    fi
    if [ "$user" != root ] || [ "$(id -u)" != 0 ]; then
        ! as_user cat "/proc/$server/environ" >/dev/null 2>&1 && ! as_user ls "/proc/$server/fd" >/dev/null 2>&1 &&
            ! as_user head -c 1 "/proc/$server/mem" >/dev/null 2>&1
        verdict "another process of the user cannot read environment, memory, descriptors (as $user)" $?
        begin sleep 30 &
        plain=$!
        sleep 0.2
        as_user "$python" trace.py "$plain" && ! as_user "$python" trace.py "$server"
        verdict "another process of the user cannot trace it, though it can others (as $user)" $?
        kill "$plain"
    fi
    stop
}

if [ "$(id -u)" = 0 ]; then
    user=root
    check_server
    user=nobody
    if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$BUILD_DIR/bin/manglecp" 2>/dev/null; then
        check_server
    else
        verdict "as an ordinary user # SKIP the build folder is closed to others" 0
    fi
else
    user=$(id -un)
    check_server
fi

# A host's environment, from a program in its place that says what it was given.
cat >toolhost <<'SH'
#!/bin/sh
env >>"$(dirname "$0")/given"
exit 1
SH
chmod 755 toolhost
manglecp check domain --toolhost "$PWD/toolhost" --plugins "$BUILD_DIR/test-plugins" >out 2>log
if [ -s given ]; then
    ! grep -q "secret-\|MANGLECP_\|A_KEY_BY_NAME" given
    verdict "a host is not given what nobody promised it" $?
    grep -qx "PROMISED=yes" given && grep -q "^PATH=" given
    verdict "a host is given what it was promised" $?
else
    verdict "a host is asked for its environment" 1
fi

# An old kernel, played by a filter, is told by check.
cat >old_kernel.py <<'PY'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
code = b"".join(struct.pack("HBBI", *row) for row in
                [(0x20, 0, 0, 0), (0x15, 0, 1, int(sys.argv[1])), (6, 0, 0, 0x50000 | 38), (6, 0, 0, 0x7fff0000)])
class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("code", ctypes.c_char_p)]
program = Program(4, code)
libc.prctl(38, 1, 0, 0, 0)
assert libc.syscall(317, 1, 0, ctypes.byref(program)) == 0
os.execvp(sys.argv[2], sys.argv[2:])
PY
if [ "$(uname -m)" = x86_64 ] && python3 old_kernel.py 444 true 2>/dev/null; then
    python3 old_kernel.py 444 manglecp check domain --plugins "$BUILD_DIR/test-plugins" >out 2>log
    [ $? = 0 ] && grep -q "warning.*Landlock is missing" out && ! grep -q "confined by" out
    verdict "check warns of what the kernel does not enforce" $?
    python3 old_kernel.py 444 manglecp check domain --set actions.confine=required --plugins "$BUILD_DIR/test-plugins" >out 2>log
    [ $? = 1 ] && grep -q "error.*Landlock is missing" out
    verdict "confine: required is refused there" $?
    python3 old_kernel.py 317 manglecp check domain --plugins "$BUILD_DIR/test-plugins" >out 2>log
    [ $? = 0 ] && grep -q "warning.*seccomp is missing" out
    verdict "check warns of a kernel without seccomp" $?
else
    verdict "an old kernel # SKIP it cannot be played here" 0
fi
manglecp check domain --enforced --plugins "$BUILD_DIR/test-plugins" >out 2>log
status=$?
if [ -d /sys/fs/cgroup ] && [ -w /sys/fs/cgroup ] && [ -e /sys/fs/cgroup/cgroup.procs -o -e /sys/fs/cgroup/unified/cgroup.procs ]; then
    grep -q "control group below /sys/fs/cgroup" out || status=1
fi
[ $status = 0 ] && grep -q "^  system calls  .*seccomp" out && grep -q "^  files  .*Landlock" out && grep -q "^  processes " out
verdict "check tells what there is, where it is asked" $?
! manglecp check domain --enforced --format json --plugins "$BUILD_DIR/test-plugins" >out 2>log && [ ! -s out ]
verdict "and not within JSON" $?
manglecp check domain --set actions.confine=off --plugins "$BUILD_DIR/test-plugins" >out 2>log
[ $? = 0 ] && grep -q "warning.*all rights of the server" out
verdict "confine: off is warned about" $?
echo "1..$count"
