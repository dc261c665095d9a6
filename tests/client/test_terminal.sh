# What the client commands show a person; see terminal.py.
exec python3 -B "$(dirname "$0")/terminal.py" "$@"
