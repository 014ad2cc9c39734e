import { openSuiteOfTrees, thisTree } from "../../../stack/src/data-set/suite-of.ts";
import { upstreams } from "../../../stack/src/services/service-names.ts";
import { useSuite } from "../environment.ts";
import { type Foundation, createFoundation, type Stores } from "./foundation.ts";

type Variables = Readonly<Record<string, string>>;

/** A suite whose processes are replaced one after another while it is asked, as a rolling update does. */
export interface RollingSuite {
  readonly foundation: Foundation;
  readonly gateway: string;
  /** Restarts every service with these additional variables, the gateway first: each beside its predecessor, then without it. */
  roll(more: Variables): Promise<void>;
  /** What every process has written. */
  output(): string;
  close(): Promise<void>;
}

/**
 * Starts it. From then on every call of this test file goes to this suite: call it before anything else.
 *
 * @param settings of all services.
 */
export const startRollingSuite = async (settings: Variables, stores: Stores): Promise<RollingSuite> => {
  const foundation = await createFoundation(stores);
  const suite = await openSuiteOfTrees(
    // Unlike the foundation: connections get a response with `Connection: close` before they are ended.
    { ...foundation.variables, DRAIN_DELAY_MS: "1000", ...settings },
    ["gateway", ...upstreams],
  );
  let current: Variables = {};
  const roll = async (more: Variables): Promise<void> => {
    current = { ...current, ...more };
    await suite.run(thisTree, current);
  };
  await roll({});
  const restoreEnvironment = useSuite(suite.gateway, foundation);
  return {
    foundation,
    gateway: suite.gateway,
    roll,
    output: () => suite.output(),
    close: async () => {
      restoreEnvironment();
      await suite.close();
      await foundation.close();
    },
  };
};
