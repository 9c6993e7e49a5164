# SPDX-License-Identifier: Apache-2.0
# Shortcuts. Each does its own set-up on a Debian machine (scripts/setup: root or sudo where
# something is missing). CMake alone does as well: cmake --preset release, and so on.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
TRAIN ?= --cell lstm --hidden 256 --batch 16 --length 1000 --budget 5% --keep auto --iterations 60

.PHONY: help build train test test-wheel install bench soak clean
.DEFAULT_GOAL := help

help:
	@echo 'make build            the command, at build/release/sweepback'
	@echo 'make train            the main job: an LSTM through 1,000 steps in 5 % of the memory'
	@echo 'make test             every test, also under sanitizers and with a second libtorch; the fuzzers'
	@echo 'make test-wheel       of these, the trainer with the libtorch of a PyTorch wheel'
	@echo 'make install          into PREFIX ($(PREFIX))'
	@echo 'make bench            the measurements'
	@echo 'make soak             the long tests'
	@echo 'make clean            remove build/'

build:
	@scripts/setup build
	cmake --preset release
	cmake --build --preset release --target product -j $(JOBS)

train: build
	text=$$(scripts/fetch-data opticks) && build/release/sweepback train --text "$$text" $(TRAIN)

test:
	@scripts/setup test
	@scripts/test

test-wheel:
	@scripts/setup test
	@scripts/test wheel

install: build
	cmake --install build/release --prefix "$(PREFIX)"

bench:
	@scripts/setup bench
	cmake --preset release
	cmake --build --preset release --target product benchmarks -j $(JOBS)
	@scripts/bench

soak:
	@scripts/setup test
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	ctest --test-dir build/release -L soak --output-on-failure --no-tests=error

clean:
	rm -rf build
