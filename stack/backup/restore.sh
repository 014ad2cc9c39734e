#!/bin/sh
# Puts a backup into a suite that has no data here: on a new machine, with the .env of the old one.
#
#   sh stack/backup/restore.sh FOLDER && docker compose up --wait
#
# Every credential works as before. Keep .ikg/environment.json with the .env: the first credential is not issued again; where its
# file is lost, docker compose run --rm bootstrap services/configs/src/bootstrap.ts --out /credentials/environment.json --renew
# makes another and ends the former one.
set -eu

folder=${1:?name the folder of the backup}
(cd "$folder" && sha256sum --check --quiet checksums)

if [ -n "$(docker compose ps --quiet)" ]; then
  echo "the suite runs; docker compose down, and restore into empty volumes" >&2
  exit 1
fi

run() { docker compose run --rm --no-deps -T "$@"; }
# Data that is there is never written over.
held="$(run redis ls -A /data </dev/null)$(run --user neo4j neo4j sh -c 'ls -A /data/databases || true' </dev/null 2>/dev/null)"
if [ -n "$held" ]; then
  echo "the volumes hold data; docker compose down --volumes removes it" >&2
  exit 1
fi

run --user neo4j neo4j neo4j-admin database load neo4j --from-stdin --overwrite-destination=true <"$folder/neo4j.dump"
run redis tar -C /data -x <"$folder/redis.tar"
echo "restored from $folder; start it: docker compose up --wait"
