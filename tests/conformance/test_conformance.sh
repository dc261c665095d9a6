# The suite before our own server; see conformance.py.
exec python3 -B "$(dirname "$0")/conformance.py" "$BUILD_DIR"
