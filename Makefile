# What people type. `make run` and `make test` need only Debian 12, Swift 6.2 or later, git and make.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Headers and libraries of the codecs, of the fetcher and of SQLite, and the certificates that origins are checked with.
PACKAGES := libjpeg62-turbo-dev libwebp-dev libcurl4-openssl-dev libsqlite3-dev ca-certificates
ARGS ?=

.PHONY: run build test lint bench deps clean help

run: build
	exec .build/release/onesheet serve $(ARGS)

build: deps
	swift build -c release --product onesheet

test: deps
	swift test

bench: deps
	swift build -c release --product poster-bench
	.build/release/poster-bench $(ARGS)

lint: swift
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks

clean: swift
	swift package clean

help:
	@echo "make run    build and serve the embedded catalogue on http://127.0.0.1:8080/ (ARGS=... for options)"
	@echo "make build  leave the program in .build/release/onesheet"
	@echo "make test   run all tests"
	@echo "make bench  measure time and memory"
	@echo "make lint   check the format of the sources"
	@echo "make deps   install the Debian packages that are missing: $(PACKAGES)"
	@echo "make clean  remove what was built"

.PHONY: swift
swift:
	@command -v swift >/dev/null || { \
	  echo "Swift is not installed, or not in PATH: install Swift 6.2 or later from https://www.swift.org/install/linux/"; \
	  exit 1; }

# Installs the packages that are missing and nothing else, and says so.
deps: swift
	@missing=""; \
	if ! command -v dpkg-query >/dev/null; then \
	  echo "This is no Debian (dpkg is missing): install what these packages hold by hand: $(PACKAGES)"; exit 1; \
	fi; \
	for package in $(PACKAGES); do \
	  status=$$(dpkg-query -W -f='$${db:Status-Status}' $$package 2>/dev/null || true); \
	  [ "$$status" = installed ] || missing="$$missing $$package"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if ! command -v apt-get >/dev/null; then \
	  echo "apt-get is missing: install these packages by hand:$$missing"; exit 1; \
	fi; \
	sudo=""; \
	if [ "$$(id -u)" != 0 ]; then \
	  command -v sudo >/dev/null || { echo "Not root, and sudo is missing: as root, run apt-get install$$missing"; exit 1; }; \
	  sudo=sudo; \
	fi; \
	echo "Installing Debian packages:$$missing"; \
	$$sudo apt-get update -q; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing
