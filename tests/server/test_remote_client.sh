# Our client against our server; see remote_client.py.
exec python3 "$(dirname "$0")/remote_client.py" "$@"
