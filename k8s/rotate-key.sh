#!/bin/sh
# One step of the rotation of keys in the Secret ikg-keys, and the restart of all services with it, one after the other:
#   sh k8s/rotate-key.sh accept|use|drop KEY...
#   sh k8s/rotate-key.sh restart     the restart alone, where that of a step has failed
# Steps and keys are those of deploy/rotate-key.sh, which refuses a step that does not fit: nothing is changed then. The Secret as it was
# is written to ikg-keys.STEP.yaml. Needs kubectl and openssl.
set -eu
umask 077

ikg() { kubectl --namespace ikg "$@"; }

# New pods of all services at once slow down requests where the nodes have few processors to spare.
restart_all() {
  deployments=$(ikg get deployment --output=name) || return
  for deployment in $deployments; do
    ikg rollout restart "$deployment" && ikg rollout status "$deployment" --timeout=600s || return
  done
}

if [ "$*" = restart ]; then
  restart_all
  exit
fi

[ $# -ge 2 ] || {
  echo "rotate-key: name a step and a key: sh k8s/rotate-key.sh accept|use|drop KEY..., or restart alone" >&2
  exit 2
}
step=$1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM # not every shell runs the trap of EXIT then

# The version first: the patch fails where the Secret is changed after that.
version=$(ikg get secret ikg-keys --output='jsonpath={.metadata.resourceVersion}')
ikg get secret ikg-keys \
  --output='go-template={{range $name, $value := .data}}{{$name}}={{$value | base64decode}}{{"\n"}}{{end}}' >"$folder/before.env"
cp "$folder/before.env" "$folder/keys.env"
ENV_FILE=$folder/keys.env sh "$(dirname "$0")/../deploy/rotate-key.sh" "$@"
ikg get secret ikg-keys --output=yaml >"ikg-keys.$step.yaml"

# A merge patch of the entries that the step has set, changed or dropped, the last known by the ends of their names. It removes the
# annotation, too, in which kubectl apply keeps a copy of the keys.
LC_ALL=C awk -v version="$version" '
  BEGIN {
    print "metadata:\n  resourceVersion: \"" version "\""
    print "  annotations: { kubectl.kubernetes.io/last-applied-configuration: null }\nstringData: {"
  }
  !/^[A-Z0-9_]+=/ { next }
  { name = $0; sub(/=.*/, "", name) }
  NR == FNR { before[name] = $0; next }
  before[name] != $0 { print "  " name ": \"" substr($0, length(name) + 2) "\"," }
  { delete before[name] }
  END {
    print "  }\ndata: {"
    for (name in before) if (name ~ /_(NEXT|FORMER_KEYS|FORMER_PEPPERS)$/) print "  " name ": null,"
    print "  }"
  }
' "$folder/before.env" "$folder/keys.env" | ikg patch secret ikg-keys --type=merge --patch-file /dev/stdin
# No keys in files while the services restart.
rm -r "$folder"

restart_all || {
  echo "rotate-key: the Secret is changed, but not every service has restarted: run sh k8s/rotate-key.sh restart, then continue with the next step" >&2
  exit 1
}
