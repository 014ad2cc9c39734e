import { Problem } from "@ikg/contracts";

/** What the graph holds and no line of an import can say: the export ends there, instead of leaving it out. */
export const notExportable = (name: string, reason: string): Problem =>
  new Problem("unprocessable", { errors: [`${name}: ${reason}`] });

export const nodeName = (type: string, externalId: string): string => `${type}:${externalId}`;
