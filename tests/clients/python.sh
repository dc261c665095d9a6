# Sourced: runs a test program of the Python client, with the Python in PYTHON; else with the first one
# that has the library `websockets`; else with python3, and what needs that library is skipped.
python=${PYTHON:-python3}
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
    if "$candidate" -c 'import websockets' 2>/dev/null; then
        python=$candidate
        break
    fi
done

play() {
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
        echo "1..0 # SKIP the Python client needs Python 3.9"
        exit 0
    fi
    exec "$python" -B "$(dirname "$0")/python/$1" "${@:2}"
}
