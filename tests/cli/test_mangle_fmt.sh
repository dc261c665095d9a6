# mangle fmt: files, folders and standard input; what it writes, shows and refuses, and its statuses.
. tests/support/mangle_cli.sh

run() {
    says fmt "$@"
}

ugly='p( X,Y ):-q(X),r(Y).   # why

s(1).s(2).'
neat='p(X, Y) :- q(X), r(Y).  # why

s(1).
s(2).'
start() {
    rm -rf dir
    mkdir -p dir/sub dir/.hidden
    printf '%s\n' "$ugly" >dir/a.mg
    printf '%s\n' "$neat" >dir/b.mg
    printf '%s\n' "$ugly" >dir/sub/c.mg
    printf '%s\n' "$ugly" >dir/.hidden/d.mg
    printf '%s\n' "$ugly" >dir/e.txt
}

is "standard input becomes standard output" "$(printf '%s\n' "$ugly" | run -)" "$neat
status 0"
is "nothing becomes nothing" "$(run - </dev/null)" "status 0"

start
is "check lists what would change" "$(run --check dir)" 'dir/a.mg
dir/sub/c.mg
status 1'
is "and changes nothing" "$(cat dir/a.mg)" "$ugly"
is "diff shows what would change" "$(run --diff dir/a.mg)" '--- dir/a.mg
+++ dir/a.mg
@@ -1,3 +1,4 @@
-p( X,Y ):-q(X),r(Y).   # why
+p(X, Y) :- q(X), r(Y).  # why
 
-s(1).s(2).
+s(1).
+s(2).
status 0'
is "diff and check tell with the status" "$(run --diff --check dir/sub | tail -1)" "status 1"
if command -v patch >/dev/null; then
    cp -r dir patched
    "$mangle" fmt --diff patched/a.mg patched/sub/c.mg | patch -s -p0
    is "patch understands the diff" "$(cat patched/a.mg patched/sub/c.mg)" "$neat
$neat"
else
    count=$((count + 1))
    echo "ok $count # SKIP no patch on this machine"
fi
chmod 640 dir/a.mg
is "a folder is laid out, its changed files are named" "$(run dir)" 'dir/a.mg
dir/sub/c.mg
status 0'
is "the files are laid out" "$(cat dir/a.mg dir/sub/c.mg)" "$neat
$neat"
is "their mode stays" "$(stat -c %a dir/a.mg)" 640
is "nothing else is touched" "$(cat dir/.hidden/d.mg dir/e.txt)" "$ugly
$ugly"
is "no file is left behind" "$(cd dir && find . -type f | LC_ALL=C sort | tr '\n' ' ')" \
    './.hidden/d.mg ./a.mg ./b.mg ./e.txt ./sub/c.mg '
is "a second time there is nothing to do" "$(run dir)" "status 0"
is "and check agrees" "$(run --check dir)" "status 0"

start
ln -s a.mg dir/link.mg
is "a named symbolic link stays one" "$(run dir/link.mg; readlink dir/link.mg; cat dir/a.mg)" "dir/link.mg
status 0
a.mg
$neat"

start
printf 'p(1). q(\n' >dir/broken.mg
is "a file with errors is reported" "$(run dir/broken.mg)" "dir/broken.mg:1:8: error: this '(' is not closed: the text ends first [SYNTAX]
    p(1). q(
           ^
status 1"
is "it is left as it is" "$(cat dir/broken.mg)" 'p(1). q('
is "the other files are laid out all the same" "$(run dir | tail -1; cat dir/sub/c.mg)" "status 1
$neat"
is "standard input with errors gives no output" "$(echo 'p(' | "$mangle" fmt - 2>/dev/null; echo $?)" 1

is "a missing file is status 2" "$(run none.mg)" 'error: cannot read none.mg: No such file or directory
status 2'
is "no file is status 2" "$(run)" 'error: mangle fmt needs a file, a folder or -
  hint: - reads standard input and writes standard output.
status 2'
if [ "$(id -u)" != 0 ]; then
    start
    chmod 500 dir
    is "a folder that cannot be written is status 2" "$(run dir/a.mg | tail -1; cat dir/a.mg)" "status 2
$ugly"
    chmod 700 dir
else
    count=$((count + 1))
    echo "ok $count # SKIP everything can be written by root"
fi

# Random edits, compared with diff(1): the same lines go and come, and patch makes one of the other.
seq 1 400 | sed 's/.*/p( & ).# &/' >many.mg
awk 'NR % 37 != 5 { sub(/\( /, "("); sub(/ \)/, ")"); sub(/\.#/, ".  #") } { print }' many.mg >some.mg
cp some.mg laid.mg
"$mangle" fmt laid.mg >/dev/null
is "a diff changes as many lines as diff(1) does" \
    "$("$mangle" fmt --diff some.mg | grep -c '^[-+]p')" "$(diff -u some.mg laid.mg | grep -c '^[-+]p')"
is "its hunks are those of diff(1)" \
    "$("$mangle" fmt --diff some.mg | tail -n +3)" "$(diff -u some.mg laid.mg | tail -n +3)"
echo "1..$count"
