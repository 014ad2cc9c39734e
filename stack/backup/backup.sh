#!/bin/sh
# Backs up a suite that docker compose runs: stops it, copies what Neo4j and Redis hold, and starts it again.
#
#   sh stack/backup/backup.sh FOLDER     FOLDER is made, readable by you alone
#
# Keep .env too, somewhere else: without its keys a restored suite opens no credential and no sealed secret.
set -eu

folder=${1:?name the folder to make}
if [ -e "$folder" ]; then
  echo "$folder already exists; name another folder" >&2
  exit 1
fi
umask 077
mkdir -p "$folder"

# Only what runs is stopped, and started again whatever happens to the copies.
running=$(docker compose ps --services --status running)
writers=$(echo "$running" | grep -vx -e neo4j -e redis || true)
# shellcheck disable=SC2086 # lists of names
trap '[ -z "$running" ] || docker compose start $running' EXIT
trap 'exit 130' HUP INT TERM # not every shell runs the trap of EXIT then
# What writes first, then what is written to: both copies are of the same moment.
# shellcheck disable=SC2086
[ -z "$writers" ] || docker compose stop $writers
docker compose stop neo4j redis

copy() { docker compose run --rm --no-deps -T "$@" </dev/null; }
copy --user neo4j neo4j neo4j-admin database dump neo4j --to-stdout >"$folder/neo4j.dump"
copy redis tar -C /data -c . >"$folder/redis.tar"

# What cannot be read now cannot be restored later.
docker compose run --rm --no-deps -T --user neo4j neo4j \
  neo4j-admin database load neo4j --from-stdin --info <"$folder/neo4j.dump"
tar -t <"$folder/redis.tar" >/dev/null
(cd "$folder" && sha256sum neo4j.dump redis.tar >checksums)
echo "backed up to $folder"
