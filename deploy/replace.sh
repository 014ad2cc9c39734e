#!/bin/sh
# Replaces the containers of services by those of the images and settings of now, without a moment in which none answers: the
# next ones start beside the former ones, and these end when those are healthy. Stores are left alone.
#   sh deploy/replace.sh configs capture access ciq mcp trust-scorer audit
# In the repository docker compose build makes the images first; those of a release are pulled.
# With gateway, where PORT is a range: docs/upgrading.md, "Compose". Memory for both at a time; to save it, name one at a time.
set -eu

# The gateway asks for the addresses of a service every 5 s.
known=6

[ $# -gt 0 ] || {
  echo "replace: name services: sh deploy/replace.sh access ciq" >&2
  exit 2
}
former=
scale=
for service; do
  of=$(docker compose ps --quiet "$service")
  count=$(echo "$of" | grep -c . || true)
  [ "$count" -gt 0 ] || {
    echo "replace: $service does not run: docker compose up --wait" >&2
    exit 2
  }
  former="$former $of"
  scale="$scale --scale $service=$((count * 2))"
done

# ps --all also lists containers of docker compose run, such as a backup in one of configs: these are left alone.
remove() {
  for container; do
    one_off=$(docker inspect --format '{{ index .Config.Labels "com.docker.compose.oneoff" }}' "$container") || continue
    [ "$one_off" = True ] || docker rm --force "$container" >/dev/null
  done
}
remove_next() {
  for each in $(docker compose ps --all --quiet "$@"); do
    case $former in *"$each"*) ;; *) remove "$each" ;; esac
  done
}
# Compose would start a stopped one again, with its former image, and count it as one of the next ones.
# shellcheck disable=SC2046 # words
remove $(docker compose ps --all --quiet --status created --status exited --status dead "$@")
trap 'remove_next "$@"
  echo "replace: interrupted; the next containers were removed, and the former ones continue to run" >&2
  exit 130' HUP INT TERM
# shellcheck disable=SC2086 # words
docker compose up --detach --wait --no-build --no-deps --no-recreate $scale "$@" || {
  remove_next "$@"
  echo "replace: the next containers are not healthy and were removed; the former ones continue to run" >&2
  exit 1
}
sleep $known
# The former ones are no longer complete from here on, so it ends what it has begun.
trap '' HUP INT TERM
for container in $former; do
  # Ctrl-C of a terminal reaches docker, too.
  docker stop "$container" >/dev/null || docker stop "$container" >/dev/null
  docker rm "$container" >/dev/null
done
# The next container that starts may get an address of these.
sleep $known
