# shellcheck shell=sh
# For backup.sh and restore.sh, which source it.

ikg() { kubectl --namespace ikg "$@"; }

# run_jobs FOLDER NAME: runs the two Jobs of a folder with the name of a backup, waits for both, shows what they wrote, and
# removes them: a claim stays for as long as a pod names it, be it one that has ended.
run_jobs() {
  ikg delete job neo4j-copy redis-copy --ignore-not-found
  ikg create configmap copy --from-literal=BACKUP="$2" --dry-run=client --output=yaml | ikg apply --filename=-
  kubectl apply --kustomize "$1"
  failed=
  for job in neo4j-copy redis-copy; do
    while :; do
      case $(ikg get job "$job" --output='jsonpath={.status.conditions[*].type}') in
        *Complete*) break ;;
        *Failed) failed="$failed $job" && break ;;
      esac
      sleep 1
    done
    ikg logs "job/$job" || true
  done
  ikg delete job neo4j-copy redis-copy
  if [ -n "$failed" ]; then
    echo "failed:$failed" >&2
    return 1
  fi
}
