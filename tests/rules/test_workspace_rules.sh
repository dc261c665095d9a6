# The rule tests of the workspace domain pass; its scenarios reach the rules that these do not (tests/workspace).
exec "$BUILD_DIR/bin/mangle" test domains/workspace --format tap
