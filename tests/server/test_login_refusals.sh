# Who is not believed while somebody logs in; see login_refusals.py.
exec python3 -B "$(dirname "$0")/login_refusals.py" "$@"
