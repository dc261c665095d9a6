# The client over TLS to the live server; see tls.py.
exec python3 -B "$(dirname "$0")/tls.py" "$@"
