# What a decision log costs; see decision_figures.py.
exec python3 "$(dirname "$0")/decision_figures.py"
