#!/bin/sh
# Backs up the suite that overlays/local runs: scales it down, lets Jobs copy what Neo4j and Redis hold to the volumes of the
# claims backup-neo4j and backup-redis, and scales it up again.
#
#   sh k8s/backup/backup.sh NAME
#
# Keep the Secret ikg-keys too, somewhere else: without it a restored suite opens no credential and no sealed secret.
set -eu

name=${1:?name the backup}
case $name in
  -* | .* | *[!A-Za-z0-9._-]*)
    echo "the name of a backup has letters, digits, dots and dashes: $name" >&2
    exit 1
    ;;
esac
folder=$(dirname "$0")
. "$folder/run-jobs.sh"

# Started again whatever happens to the copies, with as many replicas as before; one that cannot be scaled leaves out no other.
replicas=$(ikg get deployment,statefulset --output='jsonpath={range .items[*]}{.kind}/{.metadata.name}={.spec.replicas} {end}')
start() {
  code=$?
  for each in $replicas; do ikg scale "${each%=*}" --replicas="${each#*=}" || code=1; done
  for each in $replicas; do ikg rollout status "${each%=*}" --timeout=300s || code=1; done
  exit "$code"
}
trap start EXIT
trap 'exit 130' HUP INT TERM # not every shell runs the trap of EXIT then
# What writes first, then what is written to: both copies are of the same moment.
ikg scale deployment --all --replicas=0
ikg wait --for=delete pod --selector=app.kubernetes.io/component=service --timeout=120s
ikg scale statefulset --all --replicas=0
ikg wait --for=delete pod --selector=app.kubernetes.io/component=store --timeout=120s
run_jobs "$folder/backup" "$name"
echo "backed up as $name"
