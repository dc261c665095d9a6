exec python3 -B "$(dirname "$0")/storm.py"
