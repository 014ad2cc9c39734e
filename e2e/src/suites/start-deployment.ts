import { type Foundation, createFoundation } from "./foundation.ts";
import { startSide } from "./start-side.ts";

/** Services on a foundation of their own, twice each. */
export interface Deployment extends Pick<Foundation, "organizationId" | "token" | "redis"> {
  /** Addresses of two gateways, each before services of its own. */
  readonly gateways: readonly [string, string];
  /** What every process has written. */
  output(): string;
  close(): Promise<void>;
}

/** Starts it; the caller calls `close`. */
export const startDeployment = async (): Promise<Deployment> => {
  const foundation = await createFoundation();
  const { variables, organizationId, token, redis } = foundation;
  const sides = [await startSide(variables), await startSide(variables)] as const;
  const processes = sides.flatMap((side) => [...side.processes.values()].map(({ running }) => running));
  return {
    gateways: [sides[0].gateway, sides[1].gateway],
    organizationId,
    token,
    redis,
    output: () => processes.map((each) => each.output()).join(""),
    close: async () => {
      await Promise.all(processes.map((each) => each.end()));
      await foundation.close();
    },
  };
};
