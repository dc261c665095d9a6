# Servers that are killed while they run something; see killed.py.
exec python3 "$(dirname "$0")/killed.py" "$@"
