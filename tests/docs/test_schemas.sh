# docs/schemas before a judge that is not ours; see schemas.py.
exec python3 -W ignore "$(dirname "$0")/schemas.py"
