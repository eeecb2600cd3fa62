#!/usr/bin/env bash
# Prints the version of the sources, from the one place that has it.
set -euo pipefail
cd "$(dirname "$0")/.."
sed -n 's/.*static let current = "\([0-9.]*\)"$/\1/p' Sources/Service/OneSheetConfiguration/ServeConfiguration/ProductVersion.swift
