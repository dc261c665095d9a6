# The parts of the Python client that need no server.
. "$(dirname "$0")/python.sh"
play pure_cases.py "$@"
