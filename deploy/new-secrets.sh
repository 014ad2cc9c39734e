#!/bin/sh
# Prints new secrets of a deployment, one NAME=VALUE a line, as docker compose and the commands of docs/operations.md read them:
#   umask 077; [ -s .env ] || sh deploy/new-secrets.sh >.env
# With --missing only those that a file does not have; what it has stays in use:
#   sh deploy/new-secrets.sh --missing .env >>.env
# Needs openssl.
set -eu

fail() {
  echo "new-secrets: $1" >&2
  exit 2
}
command -v openssl >/dev/null || fail "openssl is missing"
present=
case "$#:${1-}" in
0:) ;;
2:--missing)
  # The redirection of the documented command makes a file that is absent.
  [ -s "$2" ] || fail "$2 is empty or absent"
  present=$(cat "$2")
  # A last line without a line feed: what is appended begins on a line of its own.
  [ -z "$(tail -c 1 "$2")" ] || echo
  ;;
*) fail "no argument or --missing FILE expected" ;;
esac

# As docker compose reads a name in .env: its last line, without quotes and comment. The same as in rotate-key.sh and redis/set-users.sh.
value_of() {
  sed -n "s/^[[:space:]]*\(export[[:space:]][[:space:]]*\)\{0,1\}$1[[:space:]]*=//p" | tail -n 1 |
    sed -e 's/^[[:space:]]*"\([^"]*\)".*/\1/;t' -e "s/^[[:space:]]*'\([^']*\)'.*/\1/;t" \
      -e 's/[[:space:]]#.*//;s/^[[:space:]]*//;s/[[:space:]]*$//'
}
get() { printf '%s\n' "$present" | value_of "$1"; }
# A name without a value is missing.
put() { [ -n "$(get "$1")" ] || echo "$1=$2"; }

print_missing() {
  for name in NEO4J_PASSWORD REDIS_PASSWORD; do
    value=$(openssl rand -hex 24)
    put "$name" "$value"
  done
  # Every service is a user of Redis; REDIS_PASSWORD is that of operators.
  for name in GATEWAY CONFIGS CAPTURE ACCESS CIQ MCP TRUST_SCORER AUDIT; do
    value=$(openssl rand -hex 24)
    put "REDIS_${name}_PASSWORD" "$value"
  done
  for name in CREDENTIAL_PEPPER CONFIG_ENCRYPTION_KEY; do
    value=$(openssl rand -base64 32)
    put "$name" "$value"
  done
  # Before 0.2.0 INTERNAL_CONTEXT_KEY sealed tokens and element ids, which stay valid.
  value=$(get INTERNAL_CONTEXT_KEY)
  [ -n "$value" ] || value=$(openssl rand -base64 32)
  put TOKEN_SEALING_KEY "$value"

  # The gateway and mcp have a private key each (Ed25519), by which services know who calls; services have the public ones.
  for name in GATEWAY MCP; do
    private=$(get "${name}_SIGNING_KEY")
    [ -n "$private" ] || [ -z "$(get "${name}_PUBLIC_KEYS")" ] || fail "$1 has ${name}_PUBLIC_KEYS, but not ${name}_SIGNING_KEY"
    [ -n "$private" ] || private=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)
    public=$(echo "$private" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER 2>/dev/null | openssl base64 -A)
    [ -n "$public" ] || fail "${name}_SIGNING_KEY is not a private key, DER in base64"
    put "${name}_SIGNING_KEY" "$private"
    put "${name}_PUBLIC_KEYS" "$public"
  done
}
# All or nothing: a file with a part of the secrets would count as complete.
lines=$(print_missing "${2-}")
[ -z "$lines" ] || printf '%s\n' "$lines"
