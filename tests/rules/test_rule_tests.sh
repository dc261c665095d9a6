# The rule tests that stand beside the standard rules pass, and try every rule.
exec "$BUILD_DIR/bin/mangle" test rules --format tap --coverage-min 100
