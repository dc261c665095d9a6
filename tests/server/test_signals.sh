# Signals at every stage of a server's life: see signals.py.
exec python3 "$(dirname "$0")/signals.py" "$@"
