# Black-box tests of the running server over TLS; see tls.py.
exec python3 "$(dirname "$0")/tls.py" "$@"
