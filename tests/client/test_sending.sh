# What leaves the client, and how often; see sending.py.
exec python3 -B "$(dirname "$0")/sending.py" "$@"
