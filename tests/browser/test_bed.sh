# The test bed is whole: its pages, its servers, its judge. What is said of its pages is test_bed_score.sh.
exec python3 -B "$(dirname "$0")/bed/check.py"
