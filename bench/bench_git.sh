# What the actions of the plugin git cost beside the program git; see git_figures.py.
exec python3 "$(dirname "$0")/git_figures.py"
