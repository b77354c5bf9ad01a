# To get started: `make run`, then `make test`. `make help` lists the other targets.

PACKAGES := libosmium2-dev libprotozero-dev libbz2-dev libexpat1-dev liblz4-dev libdeflate-dev zlib1g-dev libsqlite3-dev \
  libssl-dev libgeos-dev libzip-dev libjs-leaflet pkg-config
# The tests read results with standard GIS tools.
TEST_PACKAGES := sqlite3 bzip2 gzip parallel gdal-bin python3-gdal chromium-headless-shell chromium-driver \
  python3-selenium fonts-dejavu-core

# More readers, which are large, for make test-all.
READER_PACKAGES := r-cran-sf r-cran-rsqlite python3-qgis

# Kernels are written for 256-bit vectors. The flag is set only if the processor has them, and here rather than in
# Package.swift, where it would prevent other packages from depending on this one.
TUNING := $(shell uname -m | grep -q x86_64 && grep -q -w avx2 /proc/cpuinfo && grep -q -w bmi2 /proc/cpuinfo \
  && echo -Xcc -march=x86-64-v3)
SWIFT_BUILD := swift build -c release $(TUNING)
SWIFT_TEST := swift test -c release $(TUNING)
ODOMETER := .build/release/odometer
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
FORMATTED := Package.swift Sources Tests Benchmarks

.PHONY: help run build wheel test-wheel test test-build golden test-all test-faults test-slurm packages sample format format-check fuzz sanitize-address sanitize-thread bench peers example clean

help: ## List these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

JOB := jobs/helsinki-walks.json5

run: build ## Build, fetch the sample map, and run the sample job (or another: make run JOB=mine.json5)
	@test "$(JOB)" != jobs/helsinki-walks.json5 || ./data/fetch-sample
	@$(ODOMETER) run $(JOB)

build: packages swift ## Build for release
	@test -x $(ODOMETER) || echo "Building (five to ten minutes the first time) ..."
	@$(SWIFT_BUILD) --quiet --product odometer

# Linked in a separate step; python3-venv is for the packaging tools.
WHEEL_PACKAGES := python3-venv binutils gcc
WHEEL := .build/wheel

wheel: PACKAGES += $(WHEEL_PACKAGES)
wheel: packages swift ## Build the Python wheel, with the command and the engine in one library: .build/wheel/dist
	@rm -f .build/release/libOdometerLibrary.a  # an updated archive keeps the objects of deleted files
	@$(SWIFT_BUILD) --quiet --product OdometerLibrary
	@./python/build-wheel .build/release/libOdometerLibrary.a $(WHEEL)

test-wheel: PACKAGES += default-jre-headless procps
test-wheel: wheel sample ## Test the wheel in fresh environments, on a Spark cluster, and with random invalid calls: make test-wheel MINUTES=10
	@./python/run-tests $(WHEEL) $(if $(filter command line,$(origin MINUTES)),$(MINUTES),0.2)

test: test-build sample ## Run what CI runs: every test, with a sample of the faults and of the random inputs
	@./Tests/fetch-tools
	@./Tests/run

# One build for the program and its tests.
test-build: PACKAGES += $(TEST_PACKAGES)
test-build: packages swift format-check
	@$(SWIFT_BUILD) --build-tests

golden: test-build sample ## Compare all output files with the reviewed digests (about five minutes)
	@$(SWIFT_TEST) --skip-build --filter GoldenTests

test-all: PACKAGES += $(READER_PACKAGES)
test-all: test-build sample ## Run everything: every fault, the sanitizers, more random inputs (a night); print a summary
	@MAKE="$(MAKE)" ./Tests/run-all

test-faults: test-build ## Fail every disk call in turn, and kill jobs a thousand times (several hours)
	@FAULT_SHARE=1 $(SWIFT_TEST) --skip-build --filter FaultTests

test-slurm: build sample ## Run the Slurm recipe on a temporary single-node cluster (Debian; needs root)
	@$(SUDO) ./Tests/slurm-recipe

# Coverage guides libFuzzer to untested inputs; undefined behaviour traps, and memory errors are detected.
FUZZ_TARGETS := pairs places geojson traces gpx tracks job profile gtfs feedFiles coverage hours network columns opl map xml pbf gzip geopackage times
MINUTES := 6
# Runs of target pbf before its MINUTES: libosmium is not hardened against hostile maps.
PBF_RUNS := 100000
fuzz: packages swift ## Fuzz every reader: make fuzz MINUTES=60 (each); findings are kept in .build/fuzz
	@ODOMETER_FUZZ=1 swift build -c release --product fuzzer --scratch-path .build/fuzzer $(TUNING) \
	  -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld \
	  -Xcxx -fsanitize=fuzzer-no-link,address
	@for target in $(FUZZ_TARGETS); do mkdir -p .build/fuzz/$$target; echo "$$target"; \
	  limits=-max_total_time=$$(( $(MINUTES) * 60 )); if [ $$target = pbf ]; then limits="-runs=$(PBF_RUNS) $$limits"; fi; \
	  for limit in $$limits; do \
	  ASAN_OPTIONS=detect_leaks=0 FUZZ_TARGET=$$target .build/fuzzer/release/fuzzer $$limit -timeout=20 -max_len=20000 \
	  -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 -artifact_prefix=.build/fuzz/$$target- .build/fuzz/$$target || exit 1; \
	  done; done

# The undefined behaviour sanitizer is for C++: Swift traps anyway. Leak detection is off, since Foundation never frees
# some objects.
sanitize-address: packages swift sample ## Run the unit tests under the address and undefined behaviour sanitizers
	@ASAN_OPTIONS=detect_leaks=0 ODOMETER_RANDOM_GRAPHS=2000 $(SWIFT_TEST) --sanitize=address \
	  -Xcxx -fsanitize=undefined -Xcxx -fsanitize-trap=undefined -Xcxx -fno-sanitize=vptr \
	  --scratch-path .build/address --skip CommandTests

sanitize-thread: packages swift sample ## Run the unit tests under the thread sanitizer
	@TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-suppressions.txt" FUZZ_INPUTS=100 ODOMETER_RANDOM_GRAPHS=500 \
	  $(SWIFT_TEST) --sanitize=thread --scratch-path .build/thread --skip CommandTests

packages: ## Install the Debian packages that are missing
	@missing=""; for package in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing$$missing"; \
	  $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $$missing >/dev/null; \
	fi

.PHONY: swift
swift:
	@command -v swift >/dev/null || { \
	  echo "Swift 6.2 or newer is missing: install it from swift.org/install, then run make again." >&2; exit 1; }

sample: ## Fetch the sample map of central Helsinki, and make a timetable
	@./data/fetch-sample
	@./data/make-feed

format: swift ## Format the sources
	@swift format --in-place --recursive --parallel $(FORMATTED)

format-check: swift
	@swift format lint --strict --recursive --parallel $(FORMATTED)

BY := walking

bench: packages swift ## Run benchmarks: make bench MAP=map.osm.pbf PAIRS=pairs.csv [BY=automobile] [GRAPH=prefix of RoutingKit vectors]
	@Benchmarks/run "$(MAP)" "$(PAIRS)" "$(BY)" "$(GRAPH)" $(TUNING)

peers: ## Compare with OSRM, Valhalla and pandana: make peers MAP=map.osm.pbf [BY=automobile]
	@Benchmarks/peers/compare "$(MAP)" "$(BY)"

# Renders a results page as a picture: path of the page, name of the picture.
define picture
chromium-headless-shell --no-sandbox --disable-gpu --hide-scrollbars --window-size=1400,1000 \
  --virtual-time-budget=3000 --screenshot=reports/example/$(2).png "file://$(CURDIR)/reports/$(1)" 2>/dev/null
endef

example: PACKAGES += chromium-headless-shell fonts-dejavu-core
example: build sample ## Make reports/example: a picture per kind; the README's too if the data of studies/porto-alegre is there
	@mkdir -p reports/example
	@for kind in walks matrix access isochrones traces; do $(ODOMETER) run jobs/helsinki-$$kind.json5 --quiet || exit 1; done
	@$(call picture,helsinki-walks/report.html#pair=102,walks)
	@for kind in matrix access isochrones traces; do $(call picture,helsinki-$$kind/report.html,$$kind) || exit 1; done
	@$(ODOMETER) report reports/helsinki-access --card reports/example/card.svg
	@test ! -d porto-alegre || $(ODOMETER) run studies/porto-alegre/jobs.json5 --quiet
	@test ! -d porto-alegre || $(call picture,porto-alegre-jobs/report.html,porto-alegre)

clean: ## Remove what was built, not what was fetched
	@rm -rf .build Benchmarks/.build reports/helsinki-*
