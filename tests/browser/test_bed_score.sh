# No page of the test bed is diagnosed worse, from its recording, than it has been: a result a page.
exec python3 -B "$(dirname "$0")/bed/score.py" "$BUILD_DIR" --tap
