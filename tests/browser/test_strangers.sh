# The applications of strangers are whole, and their judge judges: their pages, servers, expectations.
exec python3 -B "$(dirname "$0")/strangers/check.py"
