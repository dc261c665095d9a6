# The front door: every target installs what it needs first (nothing, if all is there) and then leaves
# the work to CMake, CTest and scripts/. `make help` lists the targets.
.DEFAULT_GOAL := build
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local

.PHONY: build optimized demo e2e test coverage differential timeline windows bench bench-tokens fuzz lint fmt install uninstall clean help requirements builtins \
	mutations conformance-report

build: ## the programs into build/bin, the plugins into build/plugins
	@scripts/bootstrap build
	@scripts/build release products

optimized: ## the same into build-optimized, by profile and at link time: a fifth faster, five times longer to build
	@scripts/bootstrap build
	@scripts/optimized

demo: build ## a page breaks, its cause is found, it is repaired: live where there is a Chromium, recorded elsewhere
	@scripts/demo

e2e: build ## the demo from end to end, as a test: recorded, and live where there is a Chromium
	@BUILD_DIR=$(CURDIR)/build bash tests/browser/test_demo.sh

test: ## everything under ASan and UBSan, what uses threads under TSan as well
	@scripts/bootstrap test
	@CC=gcc scripts/build asan
	@CC=gcc scripts/build tsan thread_tests
	@tests/run --again --results build-asan/results.tsv build-asan build-tsan:thread

coverage: ## how much of the engine its tests run; fails below 95 % of lines, 85 % of branches
	@scripts/bootstrap test coverage
	@CC=gcc scripts/build coverage engine_tests
	@scripts/coverage

DIFFERENTIAL_COUNT ?= 20000
differential: ## DIFFERENTIAL_COUNT random programs before two judges: a naive evaluator, and the Go implementation
	@scripts/bootstrap build test
	@scripts/build release mangle_program
	@python3 -B tests/differential/differential.py build/bin/mangle --count $(DIFFERENTIAL_COUNT) --report build/differential.txt

TIMELINE_PROGRAMS ?= 50000
timeline: ## TIMELINE_PROGRAMS random temporal programs against a judge that looks at every instant
	@scripts/bootstrap test
	@scripts/build release bin/mangle
	@python3 -B tests/differential/timeline.py build/bin/mangle --programs $(TIMELINE_PROGRAMS)
	@python3 -B tests/differential/timeline.py build/bin/mangle --programs $(TIMELINE_PROGRAMS) --limits

WINDOWS ?= 20000
windows: ## WINDOWS random policies that depend on time: does every tool hold to its window, and run only when it is offered?
	@scripts/bootstrap test
	@scripts/build release plugin_fxunit intent_test_windows
	@WINDOWS=$(WINDOWS) build/tests/intent_test_windows

bench: ## the figures that the documentation states, on this machine; its tables beside peers are written into it
	@scripts/bootstrap build
	@scripts/build release
	@bench/run "" --write

bench-tokens: ## tokens, recall and harm beside whole lists and retrieval, over real MCP servers (needs npm and pip)
	@scripts/bootstrap build
	@scripts/build release products
	@python3 -B bench/tokens/bench_tokens.py

FUZZ_SECONDS ?= 60
fuzz: ## every fuzz target for FUZZ_SECONDS
	@scripts/bootstrap fuzz
	@scripts/build fuzz fuzzers
	@scripts/fuzz $(FUZZ_SECONDS)

lint: ## layout, names, module walls, clang-tidy, and clang's warnings
	@scripts/bootstrap lint
	@scripts/lint

fmt: ## lay out all C sources
	@scripts/bootstrap lint
	@scripts/sources | xargs -r clang-format -i

requirements: ## docs/requirements.md: which test stands for which numbered requirement; prints how many hold
	@[ -f build-asan/results.tsv ] || $(MAKE) test
	@scripts/requirements --write
	@scripts/requirements --rows >src/conformance/requirement_rows.inc
	@scripts/requirements --outcomes build-asan/results.tsv

mutations: ## servers that are broken on purpose before the conformance suite: each must be seen
	@scripts/bootstrap build test
	@mkdir -p build-mutations
	@scripts/mutations >build-mutations/report.md || { cat build-mutations/report.md; exit 1; }
	@tail -1 build-mutations/report.md

conformance-report: build ## docs/conformance.md: what the conformance suite says of our server, over every transport
	@scripts/conformance-report build $(wildcard build-mutations/report.md)

builtins: ## docs/builtins.md: the built-in functions and predicates, from their rows
	@scripts/bootstrap test
	@CC=gcc scripts/build asan mangle_builtin_test_builtins_document
	@UPDATE_DOCS=1 build-asan/tests/mangle_builtin_test_builtins_document >/dev/null 2>&1

# `make optimized install` takes what the first of the two built.
BUILT := $(if $(filter optimized,$(MAKECMDGOALS)),build-optimized,build)
install: $(if $(filter build,$(BUILT)),build,optimized) ## to PREFIX, /usr/local if not given
	@mkdir -p build
	@cmake --install $(BUILT) --prefix "$(PREFIX)" >build/install.log
	@[ $(BUILT) = build ] || cp $(BUILT)/install_manifest.txt build/
	@echo "installed below $${DESTDIR-}$(PREFIX): $$(grep -c . build/install_manifest.txt) files, which \`make uninstall\` takes away again"
	@if [ "$$(id -u)" = 0 ] && [ -z "$${DESTDIR-}" ]; then PATH=$$PATH:/sbin:/usr/sbin ldconfig || true; fi

# Python may have kept its bytecode beside what was installed.
uninstall: ## take away what `make install` put there, as build/install_manifest.txt has it
	@[ -f build/install_manifest.txt ] || { echo "nothing was installed from here" >&2; exit 1; }
	@sed -n "s|^\(.*/manglecp/.*\)/[^/]*\.py$$|$${DESTDIR-}\1/__pycache__|p" build/install_manifest.txt | sort -u | \
		tr '\n' '\0' | xargs -0 rm -rf --
	@sed "s|^|$${DESTDIR-}|" build/install_manifest.txt | tr '\n' '\0' | xargs -0 rm -f --
	@sed -n "s|^\(.*/manglecp\)/.*|$${DESTDIR-}\1|p" build/install_manifest.txt | sort -u | while read -r folder; do \
		[ ! -d "$$folder" ] || find "$$folder" -depth -type d -empty -delete; done

clean: ## remove everything that was built
	rm -rf build build-*

help: ## this text
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
