# The browser domain has no faults, and its scenarios come out as they say.
set -u
bin=$BUILD_DIR/bin/manglecp
if [ ! -x "$bin" ]; then
    echo "1..0 # SKIP manglecp is not built"
    exit 0
fi
failed=0
echo "1..2"
if "$bin" check domains/browser; then echo "ok 1 - check"; else echo "not ok 1 - check"; failed=1; fi
if "$bin" test domains/browser; then echo "ok 2 - test"; else echo "not ok 2 - test"; failed=1; fi
exit $failed
