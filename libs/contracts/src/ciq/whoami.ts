import { z } from "zod";

/** Answer of GET /ciq/v1/whoami: the node that the bearer stands for. */
export const Identity = z.object({
  /** `ikg_node_type` of the token introspect that judged the bearer. */
  type: z.string(),
  /** Value of its subject claim: the node's `external_id`. */
  id: z.string(),
});

export type Identity = z.output<typeof Identity>;
