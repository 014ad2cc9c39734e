#!/bin/sh
# Prints the commands that give a running Redis the users of users.conf: sh deploy/redis/set-users.sh | redis-cli --pipe
# With --pipe, and not with -e, redis-cli fails where Redis refuses one of the commands that it reads.
# A password REDIS_…_PASSWORD is that of the environment, else that of .env or of the file that ENV_FILE names.
set -eu

users=$(dirname "$0")/users.conf
file=${ENV_FILE:-.env}
# As docker compose reads a name in .env: its last line, without quotes and comment. The same as in deploy/new-secrets.sh.
value_of() {
  sed -n "s/^[[:space:]]*\(export[[:space:]][[:space:]]*\)\{0,1\}$1[[:space:]]*=//p" | tail -n 1 |
    sed -e 's/^[[:space:]]*"\([^"]*\)".*/\1/;t' -e "s/^[[:space:]]*'\([^']*\)'.*/\1/;t" \
      -e 's/[[:space:]]#.*//;s/^[[:space:]]*//;s/[[:space:]]*$//'
}
if [ -n "${ENV_FILE:-}" ] || [ -f "$file" ]; then lines=$(cat "$file"); else lines=; fi
for name in $(sed -n 's/^user .* on >\$\([A-Z_]*\) .*/\1/p' "$users"); do
  eval "password=\${$name:-}"
  [ -n "$password" ] || password=$(printf '%s\n' "$lines" | value_of "$name")
  [ -n "$password" ] || {
    echo "set-users: $name is neither in the environment nor in $file" >&2
    exit 2
  }
  eval "$name=\$password"
done
# Selectors and keys would be added to those that a user has; the lines state commands and channels anew. Passwords stay, for a rotation.
commands=$(sed -n 's/^user \([^ ]*\) /ACL SETUSER \1 clearselectors resetkeys /p' "$users")
eval "cat <<USERS
$commands
USERS"
