# Thin front of the CMake build: make run, make test, make build, make bench.
.PHONY: help run configure programs build test test-dependencies test-asan tables bench deb check-deb docs reference figures format lint clean dependencies

help:
	@echo "make run     install what is missing, build, solve case 10 (water vapour slab), print a table"
	@echo "make test    build and run all tests"
	@echo "make build   build all: build/ermine, the libraries, the tests"
	@echo "make bench   measure ray throughput on this machine"
	@echo "make docs    the documentation as a site: build/site/index.html"
	@echo "make deb     packages for Debian: build/*.deb    make check-deb  try them in a clean root"
	@echo "make format  format C and C++ sources    make lint  layers, format, clang-tidy"

dependencies:
	@tools/install_dependencies.sh

configure: dependencies
	@test -f build/CMakeCache.txt || cmake --preset release -G Ninja

build: configure
	@cmake --build build

# All that `cmake --install build` installs: without the tests, half of the build.
programs: configure
	@cmake --build build --target installed

run: programs
	@build/ermine run validation/case10.toml --set solver.rays_per_cell=512

# What tests of the Python module and the documentation need; without it they skip.
test-dependencies:
	@for kind in --python --docs; do tools/install_dependencies.sh $$kind || \
	  echo "make: tests that need tools/install_dependencies.sh $$kind will skip"; done

test: test-dependencies build
	@cd build && ctest --output-on-failure --no-tests=error -j "$$(nproc)"

# The tests under the address and undefined-behaviour sanitizers, without the long ones.
test-asan: dependencies
	@test -f build/asan/CMakeCache.txt || cmake --preset asan -G Ninja
	@cmake --build build/asan --target unit_tests cli_tests invariance_tests \
	  client_programs
	@cd build/asan && ctest --output-on-failure --no-tests=error -j "$$(nproc)" \
	  -L '^(unit|cli|invariance|capi)$$' -E '^cli/(Ladder|Bench|SpectraPlot|Validate\.ChecksTheBalance|Check\.WarnsOfLong)|^unit/(FaintRows\.Hardly|ForecastOf\.TimeAndError|LaneMarch\.(Roulette|Isothermal|Solves)|GasPointSampler\.(Mixture|Weights)|FieldExchange\.TakeTheMemory|Radiation\.RanksAndBlocks|ThinView\.RaysOfNodes|FieldExchange\.Have|Box\.Wide|Grids/LaneMarchTest.*/(2|5)$$)|^invariance/(Invariance\.Stretched|Samplers|DistributedLevels|Ranks\.DoNotChangeTheWay|LostRays)'

# What ermine ships, from the raw spectral data: make tables RAW=FOLDER
tables: build
	@tools/build_tables.sh "$(RAW)"

bench: build
	@build/ermine bench

# Warnings are errors, and so are dead links.
docs:
	@tools/install_dependencies.sh --docs
	@python3 tools/docs/build_site.py . build

# docs/reference and the pictures of docs/gallery.md anew, from the sources and by the tool.
reference: build
	@cmake --build build --target reference

figures: build
	@python3 tools/docs/make_figures.py

# Packages that run on any processor: ermine, ermine-channel, libermine-dev, python3-ermine.
deb:
	@tools/install_dependencies.sh --deb
	@test -f build/deb/CMakeCache.txt || cmake --preset deb -G Ninja
	@cmake --build build/deb
	@rm -f build/*.deb
	@cd build/deb && cpack -G DEB

# As root: installs them in a new Debian below /tmp, and runs and compiles there.
check-deb: deb
	@tests/packaging/clean_root.sh build/*.deb

format:
	@git ls-files -co --exclude-standard '*.hpp' '*.cpp' '*.cu' '*.cuh' '*.h' '*.c' | xargs ls -d 2>/dev/null | xargs clang-format -i

lint:
	@python3 tools/check_layers.py
	@git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' '*.h' '*.c' | xargs clang-format --dry-run --Werror
	@test -f build/CMakeCache.txt || cmake --preset release -G Ninja
	@git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P "$$(nproc)" -n 4 clang-tidy -p build --quiet

clean:
	@rm -rf build
