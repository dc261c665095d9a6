# The conversation of conversation.json, played by the Python client against the live server.
. "$(dirname "$0")/python.sh"
play play.py "$@"
