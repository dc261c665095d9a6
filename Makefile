# The front door: every target installs what it needs first (nothing, if all is there) and then leaves
# the work to CMake, CTest and scripts/. `make help` lists the targets.
.DEFAULT_GOAL := build
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
THREAD_TESTS := $(shell find tests -path '*thread*' -name 'test_*.c' 2>/dev/null)

.PHONY: build demo test bench fuzz lint fmt install clean help requirements

build: ## the programs into build/bin, the plugins into build/plugins
	@scripts/bootstrap build
	@scripts/build release

demo: build ## the whole conversation on a recorded page, in minutes from nothing
	@if [ -x scripts/demo ]; then scripts/demo; else echo "no demo yet: scripts/demo is missing" >&2; exit 1; fi

test: ## everything under ASan and UBSan, what uses threads under TSan as well
	@scripts/bootstrap test
	@CC=gcc scripts/build asan
	@if [ -n "$(THREAD_TESTS)" ]; then CC=gcc scripts/build tsan; fi
	@tests/run build-asan $(if $(THREAD_TESTS),build-tsan:thread)

bench: build ## the figures that the documentation states, on this machine
	@if [ -x bench/run ]; then bench/run; else echo "no benchmarks yet: bench/run is missing" >&2; exit 1; fi

FUZZ_SECONDS ?= 60
fuzz: ## every fuzz target for FUZZ_SECONDS
	@scripts/bootstrap fuzz
	@scripts/build fuzz
	@scripts/fuzz $(FUZZ_SECONDS)

lint: ## layout, names, module walls, clang-tidy, and a build with clang
	@scripts/bootstrap lint
	@scripts/lint

fmt: ## lay out all C sources
	@scripts/bootstrap lint
	@scripts/sources | xargs -r clang-format -i

requirements: ## docs/requirements.md: which test stands for which numbered requirement
	@scripts/requirements --write

install: build ## to PREFIX, /usr/local if not given
	@cmake --install build --prefix "$(PREFIX)"

clean: ## remove everything that was built
	rm -rf build build-*

help: ## this text
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
