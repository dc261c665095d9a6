# The threats of docs/confinement.md: each with a test that exists.
exec python3 tests/docs/confinement.py
