# A handful of servers that are broken on purpose, one for each of some files; `make mutations` runs all of them.
cd "$(dirname "$0")/../.." || exit 1
if [ ! -x build-mutations/build/bin/manglecp ]; then
    echo "1..0 # SKIP the mutants are not built: make mutations"
    exit 0
fi
echo "1..1"
if told=$(scripts/mutations --first 8); then
    echo "ok 1 - each is seen by the right requirement"
else
    echo "not ok 1 - each is seen by the right requirement"
    sed 's/^/# /' <<<"$told"
fi
