import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { configs } from "./project-under-test.ts";

export const limits = { withinMs: 10_000, everyMs: 50 };

const countUnpublished = async (id: string): Promise<number> => {
  const [row] = await configs.graph.shared.read(
    "MATCH (o:_Outbox) WHERE o.announcements CONTAINS $id RETURN count(o) AS waiting",
    { id },
    { timeoutMs: 10_000 },
  );
  return Number(row?.["waiting"]);
};

/** Waits until no announcement about a record is left to publish. */
export const untilPublished = (id: string): Promise<number> =>
  eventually(
    () => countUnpublished(id),
    (count) => count === 0,
    limits,
  );
