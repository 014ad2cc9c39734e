#!/bin/sh
# Tables of a database become a graph (docs/recipes/import-from-a-dump.md).
set -e

tables="examples/import/pilots.csv examples/import/models.csv examples/import/aircraft.csv examples/import/ratings.csv"

ikg import $tables --infer > draft.yaml
ikg import $tables --map examples/import/map.yaml --dry-run
ikg import $tables --map examples/import/map.yaml --rejected rejected.ndjson
ikg may Pilot/bessie FLY Aircraft/N300 -p min_hours=100 --explain
