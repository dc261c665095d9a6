# The rule tests that stand beside our rules pass, and try every rule of the files they load.
exec "$BUILD_DIR/bin/mangle" test rules domains/browser --format tap --coverage-min 100
