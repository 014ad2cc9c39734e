import { replicaStatuses, serviceNames } from "@ikg/contracts";
import { z } from "zod";

/** Members of this sorted set are reports of processes, each with the second of Redis' clock at which it was made. */
export const replicasKey = "ikg:replicas";

const Entry = z.tuple([z.enum(serviceNames), z.string(), z.enum(replicaStatuses), z.string()]);

/** What a process says of itself. */
export interface ReplicaEntry {
  readonly service: z.output<typeof Entry>[0];
  /** Drawn by the process when it starts. */
  readonly id: string;
  readonly status: z.output<typeof Entry>[2];
  readonly version: string;
}

export const printEntry = ({ service, id, status, version }: ReplicaEntry): string =>
  [service, id, status, version].join(" ");

/** @returns undefined for what this release does not know, as another one may write it. */
export const parseEntry = (text: string): ReplicaEntry | undefined => {
  const parsed = Entry.safeParse(text.split(" "));
  if (!parsed.success) return undefined;
  const [service, id, status, version] = parsed.data;
  return { service, id, status, version };
};
