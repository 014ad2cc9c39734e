import { z } from "zod";
import { serviceNames } from "./caller.ts";

/** States of a process: those of its `/readyz`, and that it has stopped reporting without having ended. */
export const replicaStatuses = ["ready", "unavailable", "stopping", "unreachable"] as const;

export type ReplicaStatus = (typeof replicaStatuses)[number];

const Replica = z.object({
  status: z.enum(replicaStatuses).meta({
    description:
      "`unavailable`: a store that it needs does not answer it; `unreachable`: it has not reported for 15 s, and has not ended.",
  }),
  version: z.string(),
});

/** Every service of the installation with its processes, as they have reported themselves. */
export const SuiteStatus = z.object({
  services: z
    .array(
      z.object({
        service: z.enum(serviceNames),
        replicas: z.array(Replica).meta({
          description: "Empty for a service none of whose processes has reported in the last minute.",
        }),
      }),
    )
    .meta({
      description:
        "Those that every installation has, and those of which a process has reported in the last day.",
    }),
});

export type SuiteStatus = z.output<typeof SuiteStatus>;
