# The harness of bench/tokens: what scores offers, counts bills, reads lines, grows catalogues; against answers by hand.
exec python3 tests/bench/tokens_cases.py
