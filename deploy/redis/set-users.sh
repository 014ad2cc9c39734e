#!/bin/sh
# Prints the commands that give a running Redis the users of users.conf: sh deploy/redis/set-users.sh | redis-cli
# A password REDIS_…_PASSWORD is that of the environment, else that of .env or of the file that ENV_FILE names.
set -eu

users=$(dirname "$0")/users.conf
file=${ENV_FILE:-.env}
if [ -n "${ENV_FILE:-}" ] || [ -f "$file" ]; then lines=$(cat "$file"); else lines=; fi
for name in $(sed -n 's/^user .* on >\$\([A-Z_]*\) .*/\1/p' "$users"); do
  eval "password=\${$name:-}"
  [ -n "$password" ] || password=$(printf '%s\n' "$lines" | sed -n "s/^$name=//p" | tail -n 1 | tr -d "\"'")
  [ -n "$password" ] || {
    echo "set-users: $name is neither in the environment nor in $file" >&2
    exit 2
  }
  eval "$name=\$password"
done
commands=$(sed -n 's/^user /ACL SETUSER /p' "$users")
eval "cat <<USERS
$commands
USERS"
