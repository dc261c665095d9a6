# A server's life from outside: see life.py.
exec python3 "$(dirname "$0")/life.py" "$@"
