#!/usr/bin/env bash
# Chains on hosts that sleep; see chain_figures.py.
exec python3 "$(dirname "$0")/chain_figures.py"
