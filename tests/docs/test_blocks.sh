# The checker of the documents finds what is wrong in one: or it would be no use.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/page.md" <<'END'
```text file=a/greeting.txt
hello
```
```sh run=cat
cat a/greeting.txt; echo "and 12 more"
```
```text of=cat
hello
and ... more
```
```text of=cat
good bye
...
```
```sh run
cat a/nothing
```
```yaml
unmarked: true
```
```text of=nobody
```
```vim
nobody checks this, and it is no result
```
```sh skip
rm -rf /
```
END
want='ok 1
ok 2
ok 3
not ok 4
not ok 5
not ok 6
not ok 7
ok 8 # SKIP
1..8'
got=$(python3 tests/docs/blocks.py "$BUILD_DIR" "$tmp/page.md" | grep -v '^#' | sed 's/ - .*# SKIP.*/ # SKIP/; s/ - .*//')
echo "1..1"
if [ "$got" = "$want" ]; then
    echo "ok 1 - what is wrong in a document is found, and nothing else"
else
    echo "not ok 1 - what is wrong in a document is found, and nothing else"
    printf '%s\n' "$got" | sed 's/^/#   /'
fi
