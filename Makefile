# Commands for people and CI. `make run` and `make test` need only Debian 12, Swift 6.2 or later, git and make. `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Headers and libraries of the codecs, of compression, of the fetcher, of cryptography and of databases, and the certificates that origins are checked with.
PACKAGES := libjpeg62-turbo-dev libpng-dev libwebp-dev libavif-dev libjxl-dev libde265-dev liblcms2-dev libfreetype-dev libharfbuzz-dev zlib1g-dev libbrotli-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev libhiredis-dev libseccomp-dev ca-certificates
# Servers that tests of shared state start, each for itself, as `make cluster` does. Without these and the following, the tests that need them are skipped, and say so.
ENGINE_PACKAGES := redis-server postgresql-15
DEPLOY_PACKAGES := haproxy nginx-light varnish python3-venv
DOCS_PACKAGES := haproxy nginx-light jq openssl sqlite3 systemd prometheus esbuild docker-compose
DOCS_SITE := mkdocs-material==9.8.2
# The browsers that the web pages are tested in, and fonts of their three languages and of emoji.
WEB_PACKAGES := chromium firefox-esr fonts-noto-cjk fonts-inter fonts-noto-color-emoji
KUBERNETES_VALIDATE := kubernetes-validate==1.37.0

# Options of the program or script behind a target.
ARGS ?=
# Options of the debug builds of the tests and of the program that they start; CI has some.
export TEST_BUILD ?=
# SwiftPM's folder: that of .ci/run is outside the clone, so that packages are compiled once for all clones.
SCRATCH := $(or $(ONESHEET_SCRATCH),.build)
$(if $(word 2,$(SCRATCH)),$(error ONESHEET_SCRATCH must have no spaces: $(SCRATCH)))
SWIFT_BUILD := swift build --scratch-path $(SCRATCH)
# A target that imports another one without depending on it is an error.
CHECKED := $(TEST_BUILD) --explicit-target-dependency-import-check error
SWIFT_TEST := scripts/build.sh $(SCRATCH)/debug.built swift test --scratch-path $(SCRATCH) $(CHECKED)
DEBUG := $(SCRATCH)/debug/onesheet
RELEASE := $(SCRATCH)/release/onesheet
# Always in this folder, as its bytes depend on where that is relative to the sources.
STATIC := .build/static/release/onesheet
SANITIZED := $(SCRATCH)/sanitized
THREADS := $(SCRATCH)/threads
COMPAT_PYTHON := .build/compat/bin/python
WEB_PYTHON := .build/web/bin/python

# Where `make install` puts things; DESTDIR is put before it by those who make packages.
export PREFIX ?= /usr/local
export DESTDIR ?=
# Other programs to install than the one that make build leaves, and to package than a static build.
PROGRAM ?= $(RELEASE)
PACKAGED ?=
IMAGE ?= localhost/onesheet:$(shell scripts/version.sh)
CLUSTER_DATA ?= .build/cluster
CLUSTER_PORT ?= 8080
KILLS ?= 100
FAULTS ?= 10000
POINTS ?= 10000
SCHEDULES ?= 100000
SECONDS ?= 60
RUNS ?= 1000000
TARGETS ?=
CORPUS ?= ../shared/corpus
TOOLS ?= ../shared/tools
SAMPLES ?=
REPEAT ?= 1
THREADED := BoundedCache Flights HTTPFetch HTTPServer PosterOrigins PosterPipeline RedisClient
, := ,

.PHONY: $(shell grep -oE '^[a-z0-9-]+( [a-z0-9-]+)*:' Makefile | tr -d ':')

run: build
	exec $(RELEASE) serve $(ARGS)

build: deps
	@scripts/build.sh --unless-current $(RELEASE) $(SCRATCH)/release.built $(SWIFT_BUILD) -c release --product onesheet
# The debug program that scripts test, which is that of `make test` unless a source has changed since.
debug-program: deps
	@scripts/build.sh --unless-current $(DEBUG) $(SCRATCH)/debug.built $(SWIFT_BUILD) $(TEST_BUILD) --product onesheet

# Not all tests at once: those with real servers and deadlines want a part of the processor each. ARGS are options of `swift test` that choose tests. REPEAT=20 ends with the first
# failure in as many runs; beside `stress-ng --cpu 4` it finds tests that depend on the machine's speed.
test: deps
	@begin=$$(date +%s); echo "Building the program and all tests"; \
	scripts/build.sh $(SCRATCH)/debug.built $(SWIFT_BUILD) --build-tests $(CHECKED); \
	built=$$(date +%s); status=0; \
	for ((run = 0; run < $(REPEAT) && !status; run++)); do \
	  SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=12 swift test --scratch-path $(SCRATCH) $(TEST_BUILD) --skip-build $(ARGS) || status=$$?; \
	done; \
	echo "Built in $$((built - begin)) s, tested in $$(($$(date +%s) - built)) s"; exit $$status

# Formatting, the language of comments and documents, that code uses its members, that each target depends on its imports and on nothing else, that no guaranteed interface breaks, and
# that deploy/ names options of the program.
lint: swift
	python3 Tests/Structure/dependencies.py
	python3 Tests/Structure/language.py
	python3 Tests/Structure/unused_members.py
	python3 Tests/Structure/interface.py
	python3 Tests/Structure/deployment.py
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks

# Files generated from the code: the table of options, the manual page, the OpenAPI document. Of a debug build, as the tests are.
docs: debug-program
	@mkdir -p .build
	$(DEBUG) config --man >deploy/onesheet.1
	$(DEBUG) openapi >docs/openapi.json
	$(DEBUG) config --table >.build/options.md
	sed -i -e '/^<!-- configuration -->$$/,/^<!-- \/configuration -->$$/{//!d}' -e '/^<!-- configuration -->$$/r .build/options.md' docs/configuration.md

# The documents as a web site in .build/docs-site, which needs no server and no other host. A broken link is an error.
docs-site:
	@scripts/python-environment.sh docs-site-environment $(DOCS_SITE)
	scripts/docs-site.sh .build/docs-site-environment/bin/mkdocs

# Three nodes with what they share on this machine, until Ctrl-C: docs/cluster.md. ARGS are options of the nodes.
cluster: build cluster-deps
	exec python3 -B Tests/Cluster/cluster.py $(PROGRAM) --data '$(CLUSTER_DATA)' --port $(CLUSTER_PORT) -- $(ARGS)

# What such a cluster asks of origins and what its clients see under load and faults, in half an hour; the short one has few posters and no limits of time. ARGS="--only load" is one part.
test-cluster: build cluster-deps
	python3 -B Tests/Cluster/run.py $(PROGRAM) $(ARGS)
test-cluster-short: debug-program cluster-deps
	python3 -B Tests/Cluster/run.py $(DEBUG) --short $(ARGS)
# A server that writes variants, killed KILLS times.
test-kills: deps
	ONESHEET_KILLS=$(KILLS) $(SWIFT_TEST) --filter VariantKillTests
# Power losses at POINTS moments: files by a record of a program's operations, without what it had not synchronised. ARGS="--starts 20" starts a program with fewer of them. Some 20 minutes.
test-crashes: build
	python3 -B Tests/Crash/run.py $(RELEASE) --points $(POINTS) $(ARGS)
# Data of programs of three earlier commits, which are built in worktrees, and clusters of two versions. ARGS="--old PROGRAM" takes a built program instead.
test-upgrade: build cluster-deps
	python3 -B Tests/Upgrade/run.py $(RELEASE) $(ARGS)
# Workers that decode, FAULTS of which crash or do what they may not do, among good jobs. Alone in its process: its open files and allocated memory are compared.
test-faults: deps
	ONESHEET_FAULTS=$(FAULTS) $(SWIFT_TEST) --filter manyFaultsAmongGoodJobsLeakNothing
	ONESHEET_CORPUS=all $(SWIFT_TEST) --skip-build --filter WorkerCorpusTests
test-faults-short: deps
	ONESHEET_FAULTS=200 $(SWIFT_TEST) --filter manyFaultsAmongGoodJobsLeakNothing
# Random schedules of the pipeline on a simulated machine, SCHEDULES in blocks of a thousand; a failed seed is replayed by ONESHEET_SEED=… .build/debug/PipelineSimulation.
simulate: deps
	$(SWIFT_BUILD) $(TEST_BUILD) --product PipelineSimulation
	seq 1 1000 $(SCHEDULES) | xargs -P $$(nproc) -n 1 $(SCRATCH)/debug/PipelineSimulation 1000
# The codec's tests under AddressSanitizer and, for C, UndefinedBehaviorSanitizer. A build of its own, of nothing else, as a package of links: it needs no packages, and SwiftPM
# would remove this folder's Package.resolved, perhaps beside another build.
test-sanitized: deps
	@mkdir -p $(SANITIZED)/onesheet
	@ln -sfn $(addprefix '$(CURDIR)'/,Package.swift Sources Tests) $(SANITIZED)/onesheet/
	ONESHEET_ONLY=PosterCodecTests ONESHEET_SANITIZED=1 UBSAN_OPTIONS=halt_on_error=1 LSAN_OPTIONS='suppressions=$(CURDIR)/Tests/leaks.supp' \
	  scripts/build.sh $(SANITIZED)/debug.built swift test --package-path $(SANITIZED)/onesheet --scratch-path $(SANITIZED) $(TEST_BUILD) --disable-xctest
# The tests of modules with locks and tasks under ThreadSanitizer, in a build of its own as above; workers do not start with it. ARGS="--filter HTTPServerTests" is a part.
test-threads: deps
	@mkdir -p $(THREADS)/onesheet
	@ln -sfn $(addprefix '$(CURDIR)'/,Package.swift Sources Tests) $(THREADS)/onesheet/
	ONESHEET_ONLY=$(subst $() ,$(,),$(THREADED:%=%Tests)) TSAN_OPTIONS='halt_on_error=0:suppressions=$(CURDIR)/Tests/threads.supp' SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6 \
	  scripts/build.sh $(THREADS)/debug.built swift test --package-path $(THREADS)/onesheet --scratch-path $(THREADS) --sanitize thread $(TEST_BUILD) --disable-xctest --skip 'IsolatedPlanesTests|EarlyRenderTests/workerEnds' $(ARGS)
# Mutants of small modules that their tests do not notice; ARGS are modules. The packages of a debug build are needed.
mutate: swift
	ONESHEET_SCRATCH='$(SCRATCH)' python3 -B Tests/Mutation/mutate.py $(ARGS)
# The files of deploy/ by the programs that they are for: balancers in front of two nodes, systemd, the Kubernetes manifest.
test-deploy: deps deploy-deps check-kubernetes
	$(SWIFT_TEST) --filter 'BalancerTests|DeploymentTests|ForwardedClientTests|CachesInFrontTests'
check-kubernetes:
	@scripts/python-environment.sh kubernetes $(KUBERNETES_VALIDATE)
	.build/kubernetes/bin/kubernetes-validate --strict deploy/cluster/kubernetes.yaml
	@if command -v kubectl >/dev/null; then kubectl kustomize deploy/kubernetes | .build/kubernetes/bin/kubernetes-validate --strict /dev/stdin; \
	else echo "skipped: kubectl, which renders deploy/kubernetes, is not installed"; fi
# The web pages in Chromium, and a part in Firefox: each screen on a phone and the like, of the debug program; with ARGS=languages in each language; with ARGS=full everything, in an hour, of the release program.
test-web: $(if $(filter full,$(ARGS)),build,debug-program) web-deps
	$(WEB_PYTHON) -B Tests/Web/run.py $(if $(filter full,$(ARGS)),$(RELEASE),$(DEBUG)) $(ARGS)
# Clients of other services from PyPI against the debug program; with ARGS some of the files of Tests/Compat.
test-compat: debug-program
	@scripts/python-environment.sh compat Tests/Compat/requirements.txt
	$(COMPAT_PYTHON) -B Tests/Compat/run.py $(DEBUG) $(ARGS)
# What the documents and deploy/ say, tried literally, of the debug program. It fails when it takes more than TEST_DOCS_SECONDS (360), without the build. ARGS="--only WORD" is a part.
test-docs: debug-program docs-deps web-deps store-deps engine-deps
	$(WEB_PYTHON) -B Tests/Docs/run.py $(DEBUG) $(ARGS)

# Figures that do not vary between runs, compared with the committed ones; with ARGS another measurement, such as ARGS="memory --plot charts".
bench: deps
	@mkdir -p .build
	$(SWIFT_BUILD) -c release --product poster-bench
	$(SCRATCH)/release/poster-bench $(or $(ARGS),quick --json .build/bench.json)
	$(if $(ARGS),,$(SCRATCH)/release/poster-bench compare --short Benchmarks/baseline.json .build/bench.json)
# What a phone on a slow network sees of the web pages, with limits: LCP, CLS, INP, bytes, and times of their HTML.
bench-web: build web-deps
	$(WEB_PYTHON) -B Benchmarks/web.py $(RELEASE) $(ARGS)
# The pictures of README and docs/web.md.
screenshots: build web-deps
	$(WEB_PYTHON) -B Tests/Web/screenshots.py $(RELEASE) $(ARGS)

build-costs: deps
	python3 -B Benchmarks/build_costs.py $(ARGS)
fuzz: deps
	scripts/fuzz.sh all $(SECONDS) $(CORPUS)
fuzz-avif-gif: deps
	scripts/fuzz.sh avif-gif $(RUNS)
fuzz-jxl-heic: deps
	scripts/fuzz.sh jxl-heic $(RUNS)
# The parsers of protocols and texts, and the handlers of connections: each target for SECONDS, or 30 s each; TARGETS="json http2" are some of them.
fuzz-protocols: debug-program
	scripts/fuzz.sh protocols $(SCRATCH)/debug $(SECONDS) $(TARGETS)
fuzz-short: debug-program
	scripts/fuzz.sh protocols $(SCRATCH)/debug 30 $(TARGETS)
hostile-files: deps
	scripts/fuzz.sh files
conformance: build
	scripts/conformance.sh pillow $(RELEASE) $(CORPUS) $(TOOLS)
conformance-gif: build
	scripts/conformance.sh gif $(RELEASE) $(CORPUS)
conformance-avif: deps
	scripts/conformance.sh avif '$(SAMPLES)'
conformance-jxl: deps
	scripts/conformance.sh jxl '$(SAMPLES)'
conformance-heic: deps
	scripts/conformance.sh heic '$(SAMPLES)'
# A running server with cases of h2spec, of cache-tests and of testssl.sh, and with its OpenAPI description, in five minutes; with ARGS a part: h2, cache, tls, or openapi in full.
conformance-http: build
	scripts/conformance.sh http $(RELEASE) $(ARGS)
conformance-http-short: debug-program
	scripts/conformance.sh http $(DEBUG) short
# That the program runs on any x86-64, by emulating one without AVX. Needs binutils and qemu-user.
portable: build
	Tests/Portability/portable.sh $(RELEASE)
# The C code on arm64, by an emulator. Needs Swift's clang and lld, and qemu-user.
portable-arm64:
	Tests/Portability/arm64.sh $(SCRATCH)/arm64

# A program that needs no Swift where it runs. Some ten minutes.
static: deps
	scripts/static.sh
deb: deb-deps $(if $(PACKAGED),,static)
	scripts/package.sh deb "$(or $(PACKAGED),$(STATIC))"
# Installs that package in a chroot, starts, upgrades, removes and purges it. As root; the short form is the packaging alone.
test-deb: deb
	scripts/install-packages.sh debootstrap curl
	Tests/Packages/debian.sh .build/debian/*.deb
test-deb-short: swift deb-deps
	scripts/package.sh deb-short
# The files of a release, in dist/: docs/releasing.md. PACKAGED is a static program that is packaged without building it.
release: deb-deps $(if $(PACKAGED),,static)
	scripts/release.sh "$(or $(PACKAGED),$(STATIC))"
# That two releases of the last commit, built in two folders, are the same. PACKAGED is packaged twice instead.
check-reproducible: deps deb-deps
	scripts/check-reproducible.sh $(PACKAGED)
container:
	@scripts/package.sh image $(IMAGE) $(ARGS)
install:
	scripts/install.sh $(PROGRAM)
uninstall:
	scripts/install.sh --remove
clean: swift
	[ ! -e $(SCRATCH)/workspace-state.json ] || swift package --scratch-path $(SCRATCH) clean

swift:
	@command -v swift >/dev/null || { \
	  echo "Swift is not installed, or not in PATH: install Swift 6.2 or later from https://www.swift.org/install/linux/"; exit 1; }
deps: swift
	@scripts/install-packages.sh $(PACKAGES)
store-deps:
	@scripts/python-environment.sh object-stores Tests/Support/object-stores.txt
engine-deps:
	@scripts/install-packages.sh --without-services 'redis-server postgresql' $(ENGINE_PACKAGES)
cluster-deps: store-deps engine-deps
	@scripts/install-packages.sh --without-services haproxy haproxy
deploy-deps:
	@scripts/install-packages.sh --without-services 'haproxy nginx varnish varnishncsa' $(DEPLOY_PACKAGES)
deb-deps:
	@scripts/install-packages.sh dpkg-dev lintian binutils
docs-deps:
	@scripts/install-packages.sh --without-services 'haproxy nginx prometheus prometheus-node-exporter' $(DOCS_PACKAGES)
web-deps:
	@scripts/install-packages.sh $(WEB_PACKAGES)
	@scripts/python-environment.sh web Tests/Web/requirements.txt

help:
	@cat scripts/help.txt
help-all:
	@cat scripts/help.txt scripts/help-all.txt
