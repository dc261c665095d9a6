# Every example of docs/actions.md is what comes out, of the real toolhost; and every action of the four plugins has one.
set -u
for needed in bin/toolhost plugins/fs.so plugins/json.so plugins/sql.so plugins/git.so; do
    if [ ! -e "$BUILD_DIR/$needed" ]; then
        echo "1..0 # SKIP $needed is not built"
        exit 0
    fi
done
command -v jq >/dev/null || { echo "1..0 # SKIP jq is missing"; exit 0; }
missing=$(for file in plugins/fs/actions/*.json plugins/json/actions/*.json plugins/sql/actions/*.json plugins/git/actions/*.json; do
    aid=$(jq -r .aid "$file")
    name=${aid#AID.}
    grep -q "act [a-z]* ${name%.v1}\$" docs/actions.md && grep -q "\`$aid\`" docs/actions.md || echo "$aid"
done)
python3 tests/docs/blocks.py "$BUILD_DIR" docs/actions.md
status=$?
if [ -n "$missing" ]; then
    echo "# without an example in docs/actions.md:" $missing
    status=1
fi
exit $status
