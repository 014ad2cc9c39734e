# shellcheck shell=sh
# For the shell of the README, which reads it after airfield.env, in the folder of the repository.

# ask ENDPOINT REQUEST [OPTION]...: sends a file of examples/airfield/requests as the application; curl takes the options.
ask() {
  endpoint=$1
  request=$2
  shift 2
  curl -sS "$BASE/$endpoint" -H "X-SVC-ClientKey: $KEY" -H 'Content-Type: application/json' \
    -d "@examples/airfield/requests/$request.json" "$@"
  echo
}
