#!/bin/sh
# Prints new secrets of a deployment, one NAME=VALUE a line, as docker compose and the commands of docs/operations.md read them:
#   umask 077; [ -s .env ] || sh deploy/new-secrets.sh >.env
# Needs openssl.
set -eu

command -v openssl >/dev/null || {
  echo "new-secrets: openssl is missing" >&2
  exit 1
}
for name in NEO4J_PASSWORD REDIS_PASSWORD; do echo "$name=$(openssl rand -hex 24)"; done
# Every service is a user of Redis; REDIS_PASSWORD is that of operators.
for name in GATEWAY CONFIGS CAPTURE ACCESS CIQ MCP TRUST_SCORER AUDIT; do echo "REDIS_${name}_PASSWORD=$(openssl rand -hex 24)"; done
for name in CREDENTIAL_PEPPER CONFIG_ENCRYPTION_KEY TOKEN_SEALING_KEY; do echo "$name=$(openssl rand -base64 32)"; done

# The gateway and mcp have a private key each (Ed25519), by which services know who calls; services have the public ones.
for name in GATEWAY MCP; do
  private=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)
  public=$(echo "$private" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A)
  echo "${name}_SIGNING_KEY=$private"
  echo "${name}_PUBLIC_KEYS=$public"
done
