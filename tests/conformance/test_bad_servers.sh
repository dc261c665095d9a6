# Servers that keep no promise before the suite; see bad_servers.py.
exec python3 -B "$(dirname "$0")/bad_servers.py" "$BUILD_DIR"
