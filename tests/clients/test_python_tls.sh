# The Python client over TLS to the live server.
. "$(dirname "$0")/python.sh"
play tls_cases.py "$@"
