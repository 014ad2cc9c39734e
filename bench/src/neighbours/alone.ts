/** What the heavy tenant loses to its limits while no other project asks: through services of the measurement's own that differ in them alone. */
import { run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns } from "../../../stack/src/measurement/turns.ts";
import { accessProgram, gatewayBefore, gatewayProgram, storesOf } from "../own-services.ts";
import { atLeast, type Line, perSecondText } from "../targets.ts";
import { UserError, type Target } from "../settings.ts";
import { withServers } from "../with-servers.ts";
import { type Heavy, itemId, items, question } from "./heavy.ts";
import { aloneTarget, plan } from "./plan.ts";

/** Above everything that one caller can reach. */
const unlimited = "1000000";

/** Settings under which no limit between tenants is met. */
const withoutLimits = {
  ...Object.fromEntries(
    ["LIMIT_REQUESTS_IN_FLIGHT", "LIMIT_CONCURRENT_STATEMENTS"].flatMap((name) => [
      [name, unlimited],
      [`${name}_MAX`, unlimited],
    ]),
  ),
  CREDENTIAL_REQUESTS_IN_FLIGHT: unlimited,
  NEO4J_HEAVY_STATEMENTS: "1000",
  NEO4J_QUEUE_LENGTH: "100000",
};

export const measureAlone = (target: Target, { apiKey }: Heavy): Promise<readonly Line[]> =>
  withServers(plan.alone.callers, async ({ start, open }) => {
    const sealing = target.configEncryptionKey;
    if (sealing === undefined) throw new UserError("CONFIG_ENCRYPTION_KEY is not set: base64, 32 bytes.");
    const openWith = async (settings: Readonly<Record<string, string>>) => {
      const access = await start(accessProgram, {
        ...storesOf(target),
        CONFIG_ENCRYPTION_KEY: sealing,
        ...settings,
      });
      const gateway = await start(gatewayProgram, { ...gatewayBefore(target, access), ...settings });
      const evaluations = open(gateway);
      return (ms: number) => {
        let next = 0;
        const questions = {
          next: () => ({ body: JSON.stringify(question("BUSY", itemId(next++ % items))), expected: false }),
        };
        return run(
          ({ body }) => evaluations.evaluate({ "x-svc-clientkey": apiKey }, body),
          questions,
          plan.alone.callers,
          ms,
        );
      };
    };
    const works = { limited: await openWith({}), unlimited: await openWith(withoutLimits) };
    const turns = await takeTurns(works, plan.alone, "heavy tenant alone");
    return [
      {
        what: `heavy decisions alone, ${plan.alone.callers} callers`,
        figure: perSecondText(turns.summary("limited").throughput),
        ...atLeast(turns.ratio("limited", "unlimited"), aloneTarget),
        baseline: `without limits: ${perSecondText(turns.summary("unlimited").throughput)}`,
      },
    ];
  });
