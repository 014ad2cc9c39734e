/** npm run bootstrap: the organization and its first service account, into a file that only its owner can read. */
import { resolve } from "node:path";
import { say } from "../../launch/progress.mjs";
import { readClaim } from "../claim.ts";
import { runCommand } from "../command.ts";
import type { Environment } from "../environment.ts";
import { readEnvironment } from "../environment.ts";
import type { Home } from "../home.ts";
import { openHome, shortPath, writePrivate } from "../home.ts";
import { watchInterruption } from "../interruption.ts";
import { parseSwitches, takeValue } from "../options.ts";
import type { FirstCredential } from "../services/bootstrap.ts";
import { runBootstrap } from "../services/bootstrap.ts";
import { publicUrl } from "../services/variables.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { withSession } from "../session.ts";
import type { StackSettings } from "../settings.ts";
import { readStackSettings } from "../settings.ts";
import type { Backend } from "../suite.ts";

/** The databases of the suite that runs in this home. */
const backendOf = (environment: Environment): Backend => ({
  neo4j: {
    uri: environment.neo4j_uri,
    username: environment.neo4j_username,
    password: environment.neo4j_password,
  },
  redisUrl: environment.redis_url,
});

/** In the running suite, else with the databases started for this alone. */
const bootstrap = async (home: Home, settings: StackSettings, renew: boolean): Promise<FirstCredential> => {
  const interruption = watchInterruption();
  const make = (backend: Backend, signal: AbortSignal, url: string) =>
    runBootstrap({
      file: home.bootstrapFile,
      backend,
      pepper: readOrMakeSecrets(home).credential_pepper,
      publicUrl: url,
      renew,
      signal,
    });
  const running = readClaim(home) && readEnvironment(home.environmentFile);
  if (running) {
    const made = await make(backendOf(running), interruption.signal, running.base_url);
    writePrivate(home.environmentFile, { ...running, service_account_token: made.service_account_token });
    return made;
  }
  return withSession(
    { home, settings, port: undefined, fresh: false, purpose: "serve", interruption },
    ({ backend, suite }) => make(backend, suite.signal, publicUrl(settings.port)),
  );
};

await runCommand(async () => {
  const { value: out, rest } = takeValue(process.argv.slice(2), "out");
  const given = parseSwitches(rest, [
    { name: "out FILE", meaning: "another file for the credential" },
    { name: "renew", meaning: "issues another credential and ends the former one" },
  ]);
  const settings = readStackSettings(process.env);
  const home = openHome(settings.home);
  const made = await bootstrap(home, settings, given.has("renew"));
  const file = out === undefined ? home.bootstrapFile : resolve(out);
  if (out !== undefined) writePrivate(file, made);
  say(
    `Organization ${made.organization_id}, service account ${made.service_account_id}; its token is in ${shortPath(file)}.`,
  );
  return 0;
});
