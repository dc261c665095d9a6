#!/usr/bin/env bash
# Chains on hosts that sleep; see actions_chain_figures.py.
exec python3 "$(dirname "$0")/actions_chain_figures.py"
