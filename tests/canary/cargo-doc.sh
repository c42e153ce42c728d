#!/bin/sh
# The documentation pages of this program's dependencies are public. What they hold of private shapes
# is listed in `cargo-doc.txt`, looked at by a person: addresses of authors, example homes, pictures
# named by an id. Beside these no page may raise an alarm. Builds the pages, which takes minutes, and
# so is no part of the test suite.
#
#     tests/canary/cargo-doc.sh [FOLDER OF PAGES [PROGRAM]]
set -eu
cd "$(dirname "$0")/../.."
pages=${1:-}
program=${2:-target/quick/deedcheck}
if [ -z "$pages" ]; then
    cargo doc --locked --quiet
    pages=target/doc
fi
if [ $# -lt 2 ]; then
    cargo build --locked --quiet --profile quick
fi
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
# The own page of the program is left out: it quotes what it looks for. 1 is the answer where a page
# has a hit; anything else is a fault.
find "$pages" -name '*.html' -not -path '*/deedcheck/*' -print0 | sort -z |
    env -u HOME xargs -0 -n 200 sh -c '"$0" check-html "$@" || [ $? -le 2 ]' "$program" >"$found/all.txt"
grep -v ': leak ' "$found/all.txt" | wc -l >"$found/pages"
# rustdoc names each source file, and what a build script wrote, by its path on this machine: true hits.
grep ': leak ' "$found/all.txt" | grep -v -e ' in attribute content of meta$' -e ': leak work-tree ' |
    sed -e "s|^$pages/||" -e 's/:[0-9]*:[0-9]*: leak / /' | sort | uniq -c |
    sed 's/^ *//' >"$found/told.txt" || true
if ! diff -u tests/canary/cargo-doc.txt "$found/told.txt"; then
    echo "alarms that nobody has looked at, or listed ones that are gone: see above" >&2
    exit 1
fi
echo "$(cat "$found/pages") pages without an alarm, $(wc -l <"$found/told.txt") with a listed one"
