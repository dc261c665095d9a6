# The engine suite of bench/engine: what it draws, asks, compares and says, against answers that plain Python finds.
exec python3 tests/bench/engine_cases.py
