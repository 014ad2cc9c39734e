const program = "services/configs/src/bootstrap.ts";

/** Commands that issue another first credential, by deployment; docs/operations.md has the same. */
export const renewCommands: Readonly<Record<string, string>> = {
  "npm start": "npm run bootstrap -- --renew",
  Compose: `docker compose run --rm bootstrap ${program} --out /credentials/environment.json --renew`,
  Kubernetes: `kubectl -n ikg exec deployment/configs -- node ${program} --renew`,
};
