# What people type. `make run` and `make test` need only Debian 12, Swift 6.2 or later, git and make.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Headers and libraries of the codecs, of compression, of the fetcher, of cryptography and of databases, and the certificates that origins are checked with.
PACKAGES := libjpeg62-turbo-dev libpng-dev libwebp-dev libavif-dev liblcms2-dev zlib1g-dev libbrotli-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev libhiredis-dev libseccomp-dev ca-certificates
# The browser that the web pages are tested in, fonts of their three languages and of emoji, and Python's environments.
WEB_PACKAGES := chromium fonts-noto-cjk fonts-inter fonts-noto-color-emoji python3-venv
ARGS ?=
# Options of the debug builds of the tests and of the program that they start; CI has some.
TEST_BUILD ?=

# Where `make install` puts things; DESTDIR is put before it by those who make packages.
PREFIX ?= /usr/local
DESTDIR ?=
# Another program to install than the one that make build leaves.
PROGRAM ?= .build/release/onesheet
UNITS := $(wildcard deploy/systemd/*)

SECONDS ?= 60
# Files that the fuzzer of AVIF and GIF tries.
RUNS ?= 1000000
HOSTILE_FILES := .build/hostile
FUZZ_SEEDS := .build/fuzz-seeds
# A corpus of real and hostile pictures, for those who have one.
CORPUS ?= ../shared/corpus
TOOLS ?= ../shared/tools
# A folder of AVIFs, for those who have one.
SAMPLES ?=
KUBERNETES_VALIDATE := kubernetes-validate==1.37.0

.PHONY: run build debug-program docs-deps static deb test-deb test-deb-short container cluster cluster-deps test test-cluster test-cluster-short test-compat test-deploy deploy-deps check-kubernetes test-docs test-faults test-faults-short test-kills test-web bench-web screenshots test-sanitized fuzz fuzz-avif-gif hostile-files conformance conformance-avif conformance-gif conformance-http portable lint docs bench install uninstall deps clean help help-all build-costs

run: build
	exec .build/release/onesheet serve $(ARGS)

RELEASE_BUILT := .build/release.built
build: deps
	@$(call build-if-changed,.build/release/onesheet,$(RELEASE_BUILT),swift build -c release --product onesheet)

# Runs a build (3) of a program (1) unless it is current. What a build reads is compared with the beginning of the last one (2) by its times first: that takes no second, and SwiftPM's
# plan ten. Folders count, too, as they change when a file is removed; and the compiler, as another one builds everything again. The time of a change of the file and not of its
# contents: copied and unpacked files keep an old one. A part of the package and other options of the tests' builds are no current program.
define build-if-changed
if [ -x $(1) ] && [ "$$(cat $(2) 2>/dev/null)" = "options:$(TEST_BUILD)" ] && [ -z "$(ONESHEET_ONLY)" ] && \
	  [ -z "$$(find -H "$$(command -v swift)" Package.swift $(wildcard Package.resolved) Sources bench-data -cnewer $(2) -print -quit)" ]; then exit; fi; \
	$(call build-and-note,$(2),$(3))
endef

# Runs a build (2), and leaves a file (1) with the time of its beginning.
define build-and-note
mkdir -p .build; rm -f $(1); begun=$(1).$$$$; trap "rm -f $$begun" EXIT; echo "options:$(TEST_BUILD)" >$$begun; \
	set -x; $(2); { set +x; } 2>/dev/null; [ -n "$(ONESHEET_ONLY)" ] || mv $$begun $(1)
endef

# Three nodes with what they share on this machine, until Ctrl-C: docs/cluster.md. ARGS are options of the nodes.
CLUSTER_DATA ?= .build/cluster
CLUSTER_PORT ?= 8080
cluster: build cluster-deps
	exec python3 -B Tests/Cluster/cluster.py $(PROGRAM) --data '$(CLUSTER_DATA)' --port $(CLUSTER_PORT) -- $(ARGS)

# What such a cluster asks of origins and what its clients see under load and faults, in half an hour; the short one has few posters and no limits of time.
# ARGS="--only load" is one part.
test-cluster: build cluster-deps
	python3 -B Tests/Cluster/run.py $(PROGRAM) $(ARGS)

test-cluster-short: debug-program cluster-deps
	python3 -B Tests/Cluster/run.py .build/debug/onesheet --short $(ARGS)

# Not all tests at once: those with real servers and deadlines want a part of the processor each. A target that imports another one of
# the package without depending on it is an error. ARGS are options of `swift test` that choose tests; those of the build are TEST_BUILD.
test: deps
	@begin=$$(date +%s); echo "Building the program and all tests"; \
	$(call build-and-note,$(DEBUG_BUILT),swift build --build-tests $(TEST_BUILD) --explicit-target-dependency-import-check error); \
	built=$$(date +%s); status=0; \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=12 swift test $(TEST_BUILD) --skip-build $(ARGS) || status=$$?; \
	echo "Built in $$((built - begin)) s, tested in $$(($$(date +%s) - built)) s"; exit $$status

# The debug program that scripts test, which is that of `make test` unless a source has changed since.
DEBUG_BUILT := .build/debug.built
debug-program: deps
	@$(call build-if-changed,.build/debug/onesheet,$(DEBUG_BUILT),swift build $(TEST_BUILD) --product onesheet)

# A server that writes variants, killed KILLS times.
KILLS ?= 100
test-kills: deps
	ONESHEET_KILLS=$(KILLS) swift test $(TEST_BUILD) --filter VariantKillTests

# Workers that decode, FAULTS of which crash or do what they may not do, among good jobs.
FAULTS ?= 10000
test-faults: deps
	ONESHEET_FAULTS=$(FAULTS) swift test $(TEST_BUILD) --explicit-target-dependency-import-check error --filter manyFaultsAmongGoodJobsLeakNothing
	ONESHEET_CORPUS=all swift test $(TEST_BUILD) --skip-build --filter WorkerCorpusTests

# Alone in its process: what that has open and allocated is compared.
test-faults-short: deps
	ONESHEET_FAULTS=200 swift test $(TEST_BUILD) --explicit-target-dependency-import-check error --filter manyFaultsAmongGoodJobsLeakNothing

# The codec's tests under AddressSanitizer and, for C, UndefinedBehaviorSanitizer. A build of its own, of nothing else.
test-sanitized: deps
	ONESHEET_ONLY=PosterCodecTests UBSAN_OPTIONS=halt_on_error=1 LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.supp \
	  swift test --scratch-path .build/sanitized --sanitize=address \
	  -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined -Xlinker -lubsan --disable-xctest

# Fuzzes probing and rendering, from the hostile files of the tests on, which have up to some MiB; what it finds is left in
# .build/fuzz.
fuzz: deps hostile-files
	Tests/Fuzzing/build.sh .build/fuzz
	@mkdir -p .build/fuzz/corpus
	SWIFT_BACKTRACE=enable=no .build/fuzz/fuzz-poster -max_total_time=$(SECONDS) -max_len=16777216 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	  -artifact_prefix=.build/fuzz/ .build/fuzz/corpus $(HOSTILE_FILES) \
	  $(FUZZ_SEEDS) $(wildcard $(CORPUS)/conformance $(CORPUS)/hostile)

# The same of AVIF and GIF alone, from small files of every kind, for RUNS files. At the end it says how many of them were rendered.
fuzz-avif-gif: deps hostile-files
	Tests/Fuzzing/build.sh .build/fuzz
	@mkdir -p .build/fuzz/avif-gif
	SWIFT_BACKTRACE=enable=no .build/fuzz/fuzz-poster -runs=$(RUNS) -max_len=16384 -len_control=0 -mutate_depth=1 -timeout=10 -rss_limit_mb=2048 \
	  -print_final_stats=1 -artifact_prefix=.build/fuzz/ .build/fuzz/avif-gif $(FUZZ_SEEDS)

# Files that cost more than they look, and small ones of every kind, written by the codec's tests; for the fuzzer and for
# `poster-bench survive`.
hostile-files: deps
	@mkdir -p $(HOSTILE_FILES) $(FUZZ_SEEDS)
	ONESHEET_ONLY=PosterCodecTests ONESHEET_HOSTILE_FILES=$(CURDIR)/$(HOSTILE_FILES) ONESHEET_FUZZ_SEEDS=$(CURDIR)/$(FUZZ_SEEDS) swift test --scratch-path .build/codec --disable-xctest \
	  --filter 'HostileFileTests/writes'

# Compares decoding with Pillow's on a corpus, and writes docs/conformance.md.
conformance: build
	@[ -d $(CORPUS)/conformance ] || { echo "There is no corpus at $(CORPUS): set CORPUS"; exit 1; }
	python3 -m venv .build/conformance
	.build/conformance/bin/pip install -q pillow numpy
	.build/conformance/bin/python Tests/Conformance/conformance.py .build/release/onesheet $(CORPUS) $(TOOLS) docs/conformance.md

# Compares decoding with libavif's on the AVIFs below SAMPLES, such as those of its source package.
conformance-avif: deps
	@[ -d "$(SAMPLES)" ] || { echo "Set SAMPLES to a folder of AVIFs, such as tests/data of libavif's sources"; exit 1; }
	ONESHEET_ONLY=PosterCodecTests ONESHEET_AVIF_SAMPLES=$(abspath $(SAMPLES)) swift test --scratch-path .build/codec --disable-xctest \
	  --filter AVIFSampleTests

# Compares the first frames of GIFs, which it writes itself, with Pillow's.
conformance-gif: build
	python3 -m venv .build/conformance
	.build/conformance/bin/pip install -q pillow numpy
	.build/conformance/bin/python Tests/Conformance/gif_conformance.py .build/release/onesheet $(CORPUS)

# Compares a running server with its own description, /openapi.json; what was asked is left in .build/conformance-http.
conformance-http: build
	python3 -m venv .build/schemathesis
	.build/schemathesis/bin/pip install -q 'schemathesis>=4.32,<5'
	python3 Tests/Conformance/http_conformance.py .build/release/onesheet .build/schemathesis/bin/schemathesis \
	  .build/conformance-http $(ARGS)

# That the program runs on any x86-64, by emulating one without AVX. Needs binutils and qemu-user.
portable: build
	Tests/Portability/portable.sh .build/release/onesheet

# What does not flicker, compared with what was committed; with ARGS another measurement, such as ARGS="memory --plot charts".
bench: deps
	swift build -c release --product poster-bench
ifeq ($(ARGS),)
	.build/release/poster-bench quick --json .build/bench.json
	.build/release/poster-bench compare --short Benchmarks/baseline.json .build/bench.json
else
	.build/release/poster-bench $(ARGS)
endif

# What each package costs in a build from nothing, in CPU seconds.
build-costs: deps
	python3 -B Benchmarks/build_costs.py $(ARGS)

# The files of deploy/ by the programs that they are for: balancers in front of two nodes, systemd, the Kubernetes manifest. Of the program and the tests that
# `make test` leaves; those of what is not installed are skipped there.
test-deploy: deps deploy-deps check-kubernetes
	swift test $(TEST_BUILD) --explicit-target-dependency-import-check error --filter 'BalancerTests|DeploymentTests|ForwardedClientTests|CachesInFrontTests'

deploy-deps:
	$(call install-missing,haproxy nginx-light varnish python3-venv,haproxy nginx varnish varnishncsa)

check-kubernetes:
	$(call install-missing,python3-venv)
	@[ -x .build/kubernetes/bin/kubernetes-validate ] || { \
	  echo "Installing Python packages in .build/kubernetes: $(KUBERNETES_VALIDATE)"; \
	  python3 -m venv .build/kubernetes && .build/kubernetes/bin/python -m pip install -q --disable-pip-version-check $(KUBERNETES_VALIDATE); \
	}
	.build/kubernetes/bin/kubernetes-validate --strict deploy/cluster/kubernetes.yaml

# The web pages in Chromium: each screen on a phone and the like, of the debug program that `make test` leaves; with ARGS=languages in each language; with ARGS=full
# everything, in an hour, of the release program.
ifeq ($(filter full,$(ARGS)),)
test-web: debug-program web-deps
	$(WEB_PYTHON) -B Tests/Web/run.py .build/debug/onesheet $(ARGS)
else
test-web: build web-deps
	$(WEB_PYTHON) -B Tests/Web/run.py .build/release/onesheet $(ARGS)
endif

# Clients of other services from PyPI, in a virtual environment, against the debug program that `make test` leaves; with ARGS some of the
# files of Tests/Compat.
COMPAT_PYTHON := .build/compat/bin/python
test-compat: debug-program
	$(call install-missing,python3-venv)
	@cmp -s Tests/Compat/requirements.txt .build/compat/requirements.txt || { \
	  echo "Installing Python packages in .build/compat: $$(paste -sd ' ' Tests/Compat/requirements.txt)"; \
	  python3 -m venv .build/compat; \
	  $(COMPAT_PYTHON) -m pip install -q --disable-pip-version-check -r Tests/Compat/requirements.txt; \
	  cp Tests/Compat/requirements.txt .build/compat/requirements.txt; \
	}
	$(COMPAT_PYTHON) -B Tests/Compat/run.py .build/debug/onesheet $(ARGS)

# What the documents and deploy/ say, tried literally, of the debug program that `make test` leaves. It fails when it takes more than TEST_DOCS_SECONDS
# (360), without the build. ARGS="--only WORD" is a part.
test-docs: debug-program docs-deps web-deps store-deps engine-deps
	$(WEB_PYTHON) -B Tests/Docs/run.py .build/debug/onesheet $(ARGS)

docs-deps:
	$(call install-missing,haproxy nginx-light jq openssl sqlite3 systemd prometheus esbuild,haproxy nginx prometheus prometheus-node-exporter)

# What a phone on a slow network sees of the web pages, with limits: LCP, CLS, INP, bytes, and times of their HTML.
bench-web: build web-deps
	$(WEB_PYTHON) -B Benchmarks/web.py .build/release/onesheet $(ARGS)

# Takes the pictures of README and docs/web.md.
screenshots: build web-deps
	$(WEB_PYTHON) -B Tests/Web/screenshots.py .build/release/onesheet $(ARGS)

# A program that needs no Swift where it runs. A build of its own beside that of `make build`.
STATIC := .build/static/release/onesheet
static: deps
	swift build -c release --static-swift-stdlib --scratch-path .build/static --product onesheet

# A Debian package in .build/debian: program, unit, manual page, configuration, user. PACKAGED is another program to take.
PACKAGED ?=
deb:
	$(call install-missing,dpkg-dev lintian binutils)
	@[ -n "$(PACKAGED)" ] || $(MAKE) static
	rm -f .build/debian/*.deb
	deploy/debian/build.sh "$(or $(PACKAGED),$(STATIC))" .build/debian
	lintian --allow-root --fail-on error,warning .build/debian/*.deb

# Installs that package in a chroot, starts, upgrades, removes and purges it. As root.
test-deb: deb
	$(call install-missing,debootstrap curl)
	Tests/Packages/debian.sh .build/debian/*.deb

# How the package is made, without the program, whose static build takes ten minutes: lintian reads one with a stand-in. For CI; `make test-deb` belongs before a release, as it needs
# root, a Debian mirror, that build and a few minutes.
test-deb-short: swift
	$(call install-missing,dpkg-dev lintian binutils)
	@rm -rf .build/debian-short && mkdir -p .build/debian-short
	printf 'int puts(const char *text);\nint main(void) { return puts("0.1.0") < 0; }\n' | clang -x c - -o .build/debian-short/onesheet
	deploy/debian/build.sh .build/debian-short/onesheet .build/debian-short
	lintian --allow-root --fail-on error,warning .build/debian-short/*.deb

# An image by the engine that is there, and its size.
IMAGE ?= onesheet
ENGINE ?= $(shell if docker info >/dev/null 2>&1; then echo docker; elif command -v podman >/dev/null; then echo podman; elif command -v buildah >/dev/null; then echo buildah; fi)
container:
	@[ -n "$(ENGINE)" ] || { echo "There is no docker whose service runs, no podman and no buildah: install one of them"; exit 1; }
	$(ENGINE) build $(ARGS) -t $(IMAGE) .
	@case $(ENGINE) in \
	buildah) buildah images --format '{{.Name}}: {{.Size}}' $(IMAGE) ;; \
	*) $(ENGINE) image inspect --format '{{.Size}}' $(IMAGE) | awk '{ printf "$(IMAGE): %.0f MB\n", $$1 / 1e6 }' ;; \
	esac

# The files of the web pages, by folder.
WEB_FILES := Sources/Movies/MovieWeb/Resources
WEB_FOLDERS := templates templates/parts assets icons

# What `make build` left, the embedded pictures, the files of the web pages, the manual page if there is one, and units for systemd: onesheet@8081 is a node
# of several on one machine, with its port as its name. Needs no Swift.
install:
	@[ -x $(PROGRAM) ] || { echo "There is no program to install: run make build"; exit 1; }
	install -D -m 0755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/onesheet
	install -d $(foreach folder,originals scenes $(addprefix Resources/,$(WEB_FOLDERS)),$(DESTDIR)$(PREFIX)/share/onesheet/$(folder))
	install -m 0644 Sources/Movies/EmbeddedCatalogue/Resources/* $(DESTDIR)$(PREFIX)/share/onesheet/Resources/
	install -m 0644 $(WEB_FILES)/strings.tsv $(DESTDIR)$(PREFIX)/share/onesheet/Resources/
	for folder in $(WEB_FOLDERS); do \
	  install -m 0644 $(WEB_FILES)/$$folder/*.* $(DESTDIR)$(PREFIX)/share/onesheet/Resources/$$folder/; \
	done
	install -m 0644 bench-data/originals/* $(DESTDIR)$(PREFIX)/share/onesheet/originals/
	install -m 0644 bench-data/scenes/* $(DESTDIR)$(PREFIX)/share/onesheet/scenes/
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	for unit in $(UNITS); do \
	  sed 's|/usr/local/|$(PREFIX)/|g' $$unit > $(DESTDIR)$(PREFIX)/lib/systemd/system/$$(basename $$unit); \
	  chmod 0644 $(DESTDIR)$(PREFIX)/lib/systemd/system/$$(basename $$unit); \
	done
	sed -e 's|/usr/local/|$(PREFIX)/|g' -e 's|^Description=.*|& at port %i|' -e 's|^StateDirectory=onesheet$$|&-%i|' -e 's|^RuntimeDirectory=onesheet$$|&-%i|' \
	  -e 's|^EnvironmentFile=.*|Environment=ONESHEET_PORT=%i\n&\n&-%i|' deploy/systemd/onesheet.service >'$(DESTDIR)$(PREFIX)/lib/systemd/system/onesheet@.service'
	chmod 0644 '$(DESTDIR)$(PREFIX)/lib/systemd/system/onesheet@.service'
	if [ -f deploy/onesheet.1 ]; then \
	  install -D -m 0644 deploy/onesheet.1 $(DESTDIR)$(PREFIX)/share/man/man1/onesheet.1; \
	fi

# What `make install` put there; data directories and settings stay.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/onesheet $(DESTDIR)$(PREFIX)/share/man/man1/onesheet.1
	rm -f $(foreach unit,$(notdir $(UNITS)),$(DESTDIR)$(PREFIX)/lib/systemd/system/$(unit)) $(DESTDIR)$(PREFIX)/lib/systemd/system/onesheet@.service
	rm -rf $(DESTDIR)$(PREFIX)/share/onesheet

# Formatting, the language of comments and documents, and that each target depends on its imports and on nothing else.
lint: swift
	python3 Tests/Structure/dependencies.py
	python3 Tests/Structure/language.py
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks

# Files generated from the code: the table of options, the manual page, the OpenAPI document. Of a debug build, as the tests are.
docs: debug-program
	@mkdir -p deploy
	.build/debug/onesheet config --man >deploy/onesheet.1
	.build/debug/onesheet openapi >docs/openapi.json
	.build/debug/onesheet config --table >.build/options.md
	sed -i -e '/^<!-- configuration -->$$/,/^<!-- \/configuration -->$$/{//!d}' \
	  -e '/^<!-- configuration -->$$/r .build/options.md' docs/configuration.md

clean: swift
	swift package clean

help:
	@echo "make run    build, and serve the embedded catalogue on http://127.0.0.1:8080/ (ARGS=... for options)"
	@echo "make build  leave the program in .build/release/onesheet"
	@echo "make install  put what make build left below PREFIX=/usr/local (DESTDIR=... for packages); make uninstall"
	@echo "make deb    a Debian package in .build/debian"
	@echo "make container  an image by docker, podman or buildah"
	@echo "make cluster  three nodes and what they share on http://127.0.0.1:8080/ until Ctrl-C"
	@echo "make test   run all tests (ARGS=\"--filter ListeningTests\" for some)"
	@echo "make lint   check the format of the sources and what their targets import"
	@echo "make docs   write the table of options, the manual page and the OpenAPI document from the code"
	@echo "make bench  measure what does not flicker, and compare it with Benchmarks/baseline.json"
	@echo "make help-all  all others"

help-all: help
	@echo
	@echo "make deps   install the Debian packages that are missing: $(PACKAGES)"
	@echo "make store-deps engine-deps deploy-deps  install servers that further tests of make test need: S3 servers from PyPI; $(ENGINE_PACKAGES); balancers and caches"
	@echo "make test-sanitized  the codec's tests under sanitizers"
	@echo "make test-deploy  the files of deploy/ with the programs that they are for"
	@echo "make test-cluster  what nodes ask of origins and what clients see under load and faults; make test-cluster-short is the part for CI"
	@echo "make test-web  the web pages in Chromium (ARGS=languages for all languages, ARGS=full also for all sizes and colour schemes)"
	@echo "make test-docs  execute what README and docs/ say"
	@echo "make test-compat  clients of other services"
	@echo "make test-kills  kill a server KILLS=100 times while it writes variants, and look for torn files"
	@echo "make test-faults  plant FAULTS=10000 faults in workers that decode; make test-faults-short is the part for CI"
	@echo "make test-deb  install the package in a chroot, start, upgrade and remove it (root); make test-deb-short is the part for CI"
	@echo "make bench-web screenshots  measure the web pages as a phone sees them; take pictures of them"
	@echo "make build-costs  what each package costs to build (ARGS=\"-c release\" for the program)"
	@echo "make fuzz   fuzz the codec for SECONDS=60; make fuzz-avif-gif tries RUNS=1000000 files"
	@echo "make hostile-files  leave files that cost more than they look in $(HOSTILE_FILES)"
	@echo "make conformance conformance-avif conformance-gif  compare decoding with Pillow's and libavif's"
	@echo "make conformance-http  compare a running server with its OpenAPI description (schemathesis, from PyPI)"
	@echo "make portable  show that the program runs on CPUs without AVX (qemu-user)"
	@echo "make static  a program that needs no Swift where it runs"
	@echo "make clean  remove what was built"

.PHONY: swift
swift:
	@command -v swift >/dev/null || { \
	  echo "Swift is not installed, or not in PATH: install Swift 6.2 or later from https://www.swift.org/install/linux/"; \
	  exit 1; }

# Installs the packages that are missing and nothing else, and says so. Debian's lists are read once an hour. With the names of their services as second argument none of them is started,
# now or when the machine starts.
define install-missing
	@missing=""; \
	if ! command -v dpkg-query >/dev/null; then \
	  echo "This is no Debian (dpkg is missing): install what these packages hold by hand: $(1)"; exit 1; \
	fi; \
	for package in $(1); do \
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
	if [ -z "$$(find .build/apt-updated -mmin -60 2>/dev/null)" ] || [ -z "$$(ls /var/lib/apt/lists/*_Packages* 2>/dev/null)" ]; then \
	  $$sudo apt-get update -q; \
	  mkdir -p .build; touch .build/apt-updated; \
	fi; \
	if [ -n "$(2)" ] && [ ! -e /usr/sbin/policy-rc.d ]; then \
	  trap "$$sudo rm -f /usr/sbin/policy-rc.d" EXIT; \
	  printf '#!/bin/sh\nexit 101\n' | $$sudo tee /usr/sbin/policy-rc.d >/dev/null; \
	  $$sudo chmod +x /usr/sbin/policy-rc.d; \
	fi; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; \
	for service in $(2); do \
	  case "$$missing " in \
	  *" $$service "* | *" $$service-"*) ! command -v systemctl >/dev/null || $$sudo systemctl disable -q $$service || true ;; \
	  esac; \
	done
endef

deps: swift
	$(call install-missing,$(PACKAGES))

# S3 servers that the tests of the store of originals start, from PyPI in an environment of their own; without them these tests are
# skipped, and say so.
.PHONY: store-deps
store-deps:
	$(call install-missing,python3-venv)
	@cmp -s Tests/Support/object-stores.txt .build/object-stores/requirements.txt || { \
	  echo "Installing Python packages in .build/object-stores: $$(paste -sd ' ' Tests/Support/object-stores.txt)"; \
	  python3 -m venv .build/object-stores; \
	  .build/object-stores/bin/python -m pip install -q --disable-pip-version-check -r Tests/Support/object-stores.txt; \
	  cp Tests/Support/object-stores.txt .build/object-stores/requirements.txt; \
	}

# Servers that tests of what nodes share start, each for itself, as `make cluster` does; without them these tests are skipped, and say
# so. Debian's services of the same names stay off.
ENGINE_PACKAGES := redis-server postgresql-15
.PHONY: engine-deps
engine-deps:
	$(call install-missing,$(ENGINE_PACKAGES),redis-server postgresql)

# With what else `make cluster` starts.
CLUSTER_PACKAGES := haproxy
cluster-deps: store-deps engine-deps
	$(call install-missing,$(CLUSTER_PACKAGES),$(CLUSTER_PACKAGES))

# What the tests of the web pages need: Debian's Chromium and fonts, and Playwright and axe from PyPI in an environment of their own.
WEB_PYTHON := .build/web/bin/python
.PHONY: web-deps
web-deps:
	$(call install-missing,$(WEB_PACKAGES))
	@cmp -s Tests/Web/requirements.txt .build/web/requirements.txt || { \
	  echo "Installing Python packages in .build/web: $$(paste -sd ' ' Tests/Web/requirements.txt)"; \
	  python3 -m venv .build/web; \
	  $(WEB_PYTHON) -m pip install -q --disable-pip-version-check -r Tests/Web/requirements.txt; \
	  cp Tests/Web/requirements.txt .build/web/requirements.txt; \
	}
