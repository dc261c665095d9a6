# A person logs in, and commands use it; see login.py.
exec python3 -B "$(dirname "$0")/login.py" "$@"
