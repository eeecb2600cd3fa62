#!/usr/bin/env bash
# Builds the documents as a web site in .build/docs-site, with search and without requests to other hosts. A broken link or anchor is an error.
#
# usage: docs-site.sh MKDOCS      the program of mkdocs, with the theme material
set -euo pipefail
cd "$(dirname "$0")/.."

sources=.build/docs-site-sources
rm -rf "$sources"
mkdir -p "$sources"
# Documents, their pictures, and files that they link to, in the repository's folders.
cp --parents ./*.md docs/*.md docs/*.json docs/tutorials/*.md docs/web/* docs/site/*.js Benchmarks/*.md Benchmarks/*.json Benchmarks/charts/* bench-data/LICENSE Sources/Movies/MovieWeb/Resources/icons/icon.svg "$sources"
# Without --quiet, which hides warnings also from --strict.
export NO_MKDOCS_2_WARNING=1
"$1" build --strict --clean --config-file docs/site/mkdocs.yml
# A bar in the code of a table is escaped, which forges undo.
find .build/docs-site -name '*.html' -exec sed -i -E '/<t[dh]/s/\\\|/|/g' {} +
# Scripts, styles, pictures and fonts of other hosts would be requested by readers' browsers.
foreign=$(grep -rlE '(src|srcset|data)="?https?://|<link[^>]*rel="?(stylesheet|preconnect|preload|icon)[^>]*href="?https?://' .build/docs-site --include='*.html' || true)
[ -z "$foreign" ] || { echo "These pages request files of other hosts:" $foreign; exit 1; }
echo "$(find .build/docs-site -name '*.html' | wc -l) pages in .build/docs-site; the first is index.html"
