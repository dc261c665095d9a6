# The other half of test_hostile.sh, whose pages take their time.
exec bash tests/browser/test_hostile.sh even
