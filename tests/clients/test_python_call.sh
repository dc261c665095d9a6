# What the Python client sends, and how it calls tools: facts, ids, tools whose time is over, consent.
. "$(dirname "$0")/python.sh"
play call_cases.py "$@"
