#!/bin/sh
# Prints the commands that give a running Redis the users of users.conf, with the passwords REDIS_…_PASSWORD of the
# environment: sh deploy/redis/set-users.sh | redis-cli
set -eu
commands=$(sed -n 's/^user /ACL SETUSER /p' "$(dirname "$0")/users.conf")
eval "cat <<USERS
$commands
USERS"
