#!/bin/sh
# The documentation pages of this program's dependencies are public and hold nothing private: none
# may raise an alarm. Builds them, which takes minutes, and so is no part of the test suite.
#
#     tests/canary/cargo-doc.sh [FOLDER OF PAGES]
set -eu
cd "$(dirname "$0")/../.."
pages=${1:-}
if [ -z "$pages" ]; then
    cargo doc --locked --quiet
    pages=target/doc
fi
cargo build --locked --quiet --profile quick
# The own page of the program is left out: it quotes what it looks for.
find "$pages" -name '*.html' -not -path '*/deedcheck/*' -print0 |
    env -u HOME xargs -0 -n 200 target/quick/deedcheck check-html >target/cargo-doc-pages.txt || {
    grep ': leak ' target/cargo-doc-pages.txt
    exit 1
}
echo "$(wc -l <target/cargo-doc-pages.txt) pages without an alarm"
