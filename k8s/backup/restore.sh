#!/bin/sh
# Puts a backup into empty volumes for the suite of overlays/local, before that is applied.
#
#   sh k8s/backup/restore.sh NAME --check      compares it with its checksums, restores nothing
#   sh k8s/backup/restore.sh NAME
set -eu

name=${1:?name the backup}
folder=$(dirname "$0")
. "$folder/run-jobs.sh"

case $#:${2-} in
  1:) ;;
  2:--check)
    run_jobs "$folder/check" "$name"
    echo "$name is as it was backed up"
    exit
    ;;
  *)
    echo "after the name --check or nothing is expected" >&2
    exit 1
    ;;
esac
if [ -n "$(ikg get pods --selector='app.kubernetes.io/component in (service, store)' --output=name)" ]; then
  echo "the suite runs; scale its deployments and statefulsets to 0, and restore into empty volumes" >&2
  exit 1
fi
run_jobs "$folder/restore" "$name"
echo "restored from $name; start it: docs/operations.md, \"Copies of stopped stores\""
