# Those of the browser domain pass; 85 of 100 of its rules fire in them, and it may not become less.
exec "$BUILD_DIR/bin/mangle" test domains/browser --format tap --coverage-min 84
