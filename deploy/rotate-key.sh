#!/bin/sh
# One step of the rotation of keys in .env, or in the file that ENV_FILE names; the services are restarted after each step:
#   sh deploy/rotate-key.sh accept KEY...   makes the next key, which every process accepts from then on
#   sh deploy/rotate-key.sh use KEY...      the next key is used, the former one is still accepted
#   sh deploy/rotate-key.sh drop KEY...     the former key is accepted no more
# KEY is a name of the first table of docs/operations.md, "Rotate a key". A step that does not fit is refused, and nothing is
# changed. Needs openssl.
set -eu
umask 077
export LC_ALL=C # a value may hold any bytes

file=${ENV_FILE:-.env}
fail() {
  echo "rotate-key: $1" >&2
  exit 2
}
[ $# -ge 2 ] || fail "name a step and a key: sh deploy/rotate-key.sh accept|use|drop KEY..."
[ -f "$file" ] || fail "there is no $file"
step=$1
shift
case $step in accept | use | drop) ;; *) fail "$step is no step: accept, use or drop" ;; esac

next=$(mktemp "$file.XXXXXX")
trap 'rm -f "$next" "$next.put"' EXIT
trap 'exit 130' HUP INT TERM # not every shell runs the trap of EXIT then
cat "$file" >"$next"
[ -z "$(tail -c 1 "$next")" ] || echo >>"$next" # the last line may lack its end

name_of() { printf '%s' "[[:space:]]*\(export[[:space:]][[:space:]]*\)\{0,1\}$1[[:space:]]*="; }
# As docker compose reads a name in .env: its last line, without quotes and comment. The same as in deploy/new-secrets.sh.
get() {
  sed -n "s/^$(name_of "$1")//p" "$next" | tail -n 1 |
    sed -e 's/^[[:space:]]*"\([^"]*\)".*/\1/;t' -e "s/^[[:space:]]*'\([^']*\)'.*/\1/;t" \
      -e 's/[[:space:]]#.*//;s/^[[:space:]]*//;s/[[:space:]]*$//'
}
# Names and values reach no argument of a program: other users see these. A value that is empty leaves no line.
put() {
  sed "/^$(name_of "$1")/d" "$next" >"$next.put" # grep ends at bytes that are no text
  [ -z "$2" ] || echo "$1=$2" >>"$next.put"
  cat "$next.put" >"$next"
  rm "$next.put"
}
# The public key of a value of $1. For assignments: set -e ends the script there, and not in an argument.
public_of() {
  public=$(echo "$2" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER 2>/dev/null | openssl base64 -A)
  [ -n "$public" ] || fail "$1 is not a private key, DER in base64"
  echo "$public"
}

rotate() {
  key=$1 accepted=$2 made=$3 current=$(get "$1") waiting=$(get "$1_NEXT")
  [ -n "$current" ] || fail "$file has no $key"
  if [ "$made" = signing ]; then current_public=$(public_of "$key" "$current"); fi
  case $step in
  accept)
    [ -z "$waiting" ] || fail "the next $key is there: use it"
    [ "$made" = signing ] || [ -z "$(get "$accepted")" ] || fail "$accepted is in use: finish that rotation by drop"
    if [ "$made" = signing ]; then
      waiting=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)
      waiting_public=$(public_of "${key}_NEXT" "$waiting")
      put "$accepted" "$current_public,$waiting_public"
    else
      waiting=$(openssl rand -base64 32)
      put "$accepted" "$waiting"
    fi
    put "${key}_NEXT" "$waiting"
    ;;
  use)
    [ -n "$waiting" ] || fail "there is no next $key: make one by accept"
    put "$key" "$waiting"
    put "${key}_NEXT" ""
    [ "$made" = signing ] || put "$accepted" "$current"
    ;;
  drop)
    [ -z "$waiting" ] || fail "the next $key is not in use: use it first"
    if [ "$made" = signing ]; then put "$accepted" "$current_public"; else put "$accepted" ""; fi
    ;;
  esac
}

for each; do
  case $each in
  GATEWAY_SIGNING_KEY) rotate "$each" GATEWAY_PUBLIC_KEYS signing ;;
  MCP_SIGNING_KEY) rotate "$each" MCP_PUBLIC_KEYS signing ;;
  TOKEN_SEALING_KEY) rotate "$each" TOKEN_SEALING_FORMER_KEYS random ;;
  CREDENTIAL_PEPPER) rotate "$each" CREDENTIAL_FORMER_PEPPERS random ;;
  CONFIG_ENCRYPTION_KEY) rotate "$each" CONFIG_ENCRYPTION_FORMER_KEYS random ;;
  *) fail "$each is no key that is rotated so" ;;
  esac
done
mv "$next" "$file"
