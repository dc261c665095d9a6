# Hostile actions of every kind, as steps of a real server: the table of docs/confinement.md. With BUILD_DIR=$PWD/build it
# tries what is released, memory bombs included.
. tests/support/scratch.sh manglecp toolhost
if [ ! -f "$BUILD_DIR/test-plugins/captive.so" ]; then
    echo "1..0 # SKIP the plugins of the tests are not built"
    exit 0
fi
exec python3 -B "$root/tests/actions/hostile/run.py" "$BUILD_DIR" "$@"
