#!/bin/sh
# Makes a project of another deployment the same: docs/recipes/move-a-project.md.
set -e

# The source: IKG_URL, IKG_TOKEN, IKG_PROJECT and IKG_CLIENT_KEY.
ikg pull moved
ikg graph export --out moved/graph.ndjson.gz

# The target: TO_URL, TO_TOKEN, TO_PROJECT and TO_CLIENT_KEY.
export IKG_URL="$TO_URL" IKG_TOKEN="$TO_TOKEN" IKG_PROJECT="$TO_PROJECT" IKG_CLIENT_KEY="$TO_CLIENT_KEY"
ikg apply moved --no-access --yes
ikg graph import moved/graph.ndjson.gz --rejected rejected.ndjson
