import { type ChainWriter, chainWriter } from "./chain-writer.ts";
import type { WriterParts } from "./writer-parts.ts";
import type { Leases } from "./lease.ts";

/** The chain writers that this process has the leases for. */
export const openHeldChains = (parts: WriterParts, leases: Leases) => {
  const held = new Map<string, ChainWriter>();
  const drop = (project: string): void => void held.delete(project);
  return {
    held,
    drop,
    /** The writer of a chain, unless another process has it. */
    of: async (project: string): Promise<ChainWriter | undefined> => {
      const lease = await leases.hold(project);
      if (lease === undefined) {
        drop(project);
        return undefined;
      }
      // After a lease that had ended the chain may have been another one's.
      if (lease === "new") drop(project);
      const known = held.get(project) ?? chainWriter(parts, project);
      held.set(project, known);
      return known;
    },
  };
};
