# The server as its users meet it; see server_figures.py.
exec python3 "$(dirname "$0")/server_figures.py"
