# The Python client over HTTP, before servers that misbehave.
. "$(dirname "$0")/python.sh"
play http_cases.py "$@"
