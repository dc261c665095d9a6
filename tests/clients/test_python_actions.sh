# manglecp.actions: typed functions as actions, and the host program that runs them.
. "$(dirname "$0")/python.sh"
play actions_cases.py "$@"
