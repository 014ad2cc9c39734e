# shellcheck shell=sh
# For backup.sh and restore.sh, which source it.

ikg() { kubectl --namespace ikg "$@"; }

# run_jobs FOLDER NAME: runs the two Jobs of a folder with the name of a backup, waits for both, shows what they wrote, and
# removes them: a claim stays for as long as a pod names it, be it one that has ended. All folders have Jobs of the same names:
# those of another run are not taken away from it.
run_jobs() {
  if [ -n "$(ikg get pods --selector='job-name in (neo4j-copy, redis-copy)' --field-selector=status.phase!=Succeeded,status.phase!=Failed --output=name)" ]; then
    echo "another backup, check or restore runs: kubectl -n ikg get pods" >&2
    return 1
  fi
  ikg delete job neo4j-copy redis-copy --ignore-not-found
  ikg create configmap copy --from-literal=BACKUP="$2" --dry-run=client --output=yaml | ikg apply --filename=-
  kubectl apply --kustomize "$1"
  failed=
  for job in neo4j-copy redis-copy; do
    while :; do
      # Empty where the Job was removed; an API server that does not answer for a moment says nothing of it.
      if state=$(ikg get job "$job" --ignore-not-found --output='jsonpath={.metadata.name} {.status.conditions[*].type}'); then
        case $state in
          *Complete*) break ;;
          *Failed | "") failed="$failed $job" && break ;;
        esac
      fi
      sleep 1
    done
    ikg logs "job/$job" || true
  done
  ikg delete job neo4j-copy redis-copy --ignore-not-found
  if [ -n "$failed" ]; then
    echo "failed:$failed" >&2
    return 1
  fi
}
