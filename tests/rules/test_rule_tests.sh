# The rule tests that stand beside our rules pass, and try every rule of the files they load.
exec "$BUILD_DIR/bin/mangle" test rules domains --format tap --coverage-min 100
