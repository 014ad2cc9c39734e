# Makes a project of another deployment the same: its configuration as files, its graph as lines.
# IKG_URL, IKG_TOKEN, IKG_PROJECT and IKG_CLIENT_KEY say whence; TO_URL, TO_TOKEN, TO_PROJECT and TO_CLIENT_KEY say whither.
set -e

ikg pull moved
ikg graph export --out moved/graph.ndjson.gz

export IKG_URL="$TO_URL" IKG_TOKEN="$TO_TOKEN" IKG_PROJECT="$TO_PROJECT" IKG_CLIENT_KEY="$TO_CLIENT_KEY"
ikg apply moved --no-access --yes
ikg graph import moved/graph.ndjson.gz --rejected rejected.ndjson
