# make run    build and start Etude; prints the address to open
# make test   run every check: style, documentation, scenarios, end-to-end and durability tests
# make bench  measure Etude against its peers and raw limits
# make soak   run the durability tests for longer
# make fuzz   fuzz the law reader for a while

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
SOAK ?= 20
FUZZ_SECONDS ?= 120
# With a fixed seed, property tests try the same cases on every machine; another seed looks for new ones.
export PROPTEST_RNG_SEED ?= 20261115

.PHONY: run test style docs bench soak fuzz tools

run: tools
	@test -x target/release/etude || echo "The first build compiles about 400 crates: about 4 minutes on two cores." \
		"Then Etude starts and prints the address to open. Later starts take seconds."
	cargo run --release -p etude -- serve

test: tools
	@scripts/stage "what the tests use" scripts/test-tools
	@scripts/stage "style" $(MAKE) --no-print-directory style
	@scripts/stage "documentation" $(MAKE) --no-print-directory docs
	@scripts/stage "etude-sound, a program of its own" scripts/etude-sound check
	@scripts/stage "compiling the tests" cargo test --workspace --no-run
	@scripts/stage "tests with live sound, one at a time" cargo test --workspace --test all -- live:: --test-threads 1
	@scripts/stage "all other tests" cargo test --workspace --no-fail-fast -- --skip live::

style: tools
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- --deny warnings

docs: tools
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps

bench: tools
	cargo build --release -p etude
	cargo run --release --quiet -p bench

soak: tools
	ETUDE_SOAK=$(SOAK) cargo test --release -p etude --test all durability:: -- --nocapture

fuzz: tools
	@command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked
	cd fuzz && RUSTC_BOOTSTRAP=1 cargo fuzz run law -- -max_total_time=$(FUZZ_SECONDS)

tools:
	@scripts/tools
