# The asyncio client, whose tasks are cancelled at any moment.
. "$(dirname "$0")/python.sh"
play cancel_cases.py "$@"
