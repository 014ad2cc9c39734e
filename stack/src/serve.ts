/** The interactive suite: started, and kept running until it is interrupted. */
import { formatDuration, say } from "../launch/progress.mjs";
import type { Environment } from "./environment.ts";
import { shortPath } from "./home.ts";
import { whenAborted } from "./interruption.ts";
import type { SessionOptions } from "./session.ts";
import { withSession } from "./session.ts";

/**
 * Resolves after Ctrl-C, when everything has been stopped.
 *
 * @param whenReady called once everything answers; the suite runs on meanwhile and afterwards
 * @throws UserError when the suite cannot start or ends on its own
 */
export const serve = (
  options: SessionOptions,
  whenReady: (environment: Environment) => Promise<void>,
): Promise<void> => {
  const started = performance.now();
  return withSession(options, async ({ suite, startServices }) => {
    const { environment } = await startServices();
    const took = formatDuration(performance.now() - started).trim();
    say(`Console: ${environment.base_url}/console`);
    say(
      `Ready after ${took}: ${environment.base_url}  (credentials: ${shortPath(suite.home.environmentFile)})`,
    );
    await Promise.race([whenReady(environment), whenAborted(suite.signal)]);
    await whenAborted(suite.signal);
  });
};
