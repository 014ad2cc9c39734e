import { Problem } from "@ikg/contracts";

/** The error for a part of the graph that no line of an import can express: the export ends there instead of leaving it out. */
export const notExportable = (name: string, reason: string): Problem =>
  new Problem("unprocessable", { errors: [`${name}: ${reason}`] });

export const nodeName = (type: string, externalId: string): string => `${type}:${externalId}`;
