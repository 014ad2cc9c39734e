import type { IncomingMessage } from "node:http";
import {
  type Actor,
  type AuditRecord,
  type AuditType,
  type DataOf,
  type Emission,
  type OnBehalfOf,
  openEmission,
  type Outcome,
  redactData,
} from "@ikg/audit";
import { type Caller, newUuid } from "@ikg/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { loggedRequestId } from "./request-id.ts";
import type { BaseSettings } from "./settings.ts";

/** What a verb says of one thing that happened; the rest of its record is known from the request. */
export interface AuditNote<T extends AuditType = AuditType> {
  readonly type: T;
  /** gid of the project, or of the organization for what belongs to no project. */
  readonly chain: string;
  readonly data: DataOf<T>;
  readonly outcome?: Outcome;
  readonly onBehalfOf?: OnBehalfOf | undefined;
}

/**
 * Keeps what is told of a request; its records are kept before the request is answered. Not asked for what it would say
 * where no records are kept.
 */
export type Note = <T extends AuditType>(tell: () => AuditNote<T>) => void;

/** The notes of one request. */
export interface RequestTrail {
  readonly note: Note;
  /** Makes records of the notes, and waits until they are kept. */
  keep(caller: Caller, status: number): Promise<void>;
}

export interface AuditTrail {
  /** @param path template of the route. */
  begin(request: IncomingMessage, requestId: string, path: string): RequestTrail;
}

const actorOf = (caller: Caller): Actor =>
  caller.kind === "agent"
    ? { type: "app_agent", id: caller.agent, credential_kid: caller.credential_kid }
    : { type: "service_account", id: caller.service_account, credential_kid: caller.credential_kid };

const outcomeOf = (status: number): Outcome =>
  status < 400 ? "success" : status === 401 || status === 403 ? "denied" : "failed";

const silent: AuditTrail = { begin: () => ({ note: () => undefined, keep: async () => undefined }) };

type TrailSettings = Pick<
  BaseSettings,
  "AUDIT_RECORDS" | "AUDIT_INPUT_PARAMS" | "AUDIT_VALUES" | "AUDIT_DEADLINE_MS"
>;

const trailOn = ({ emit }: Emission, settings: TrailSettings): AuditTrail => {
  const redaction = { inputParams: settings.AUDIT_INPUT_PARAMS, values: settings.AUDIT_VALUES };
  return {
    begin: (request, requestId, path) => {
      const notes: AuditNote[] = [];
      return {
        note: (tell) => void notes.push(tell()),
        keep: async (caller, status) => {
          if (notes.length === 0) return;
          const now = new Date();
          const actor = actorOf(caller);
          await Promise.all(
            notes.map(({ type, chain, data, outcome = outcomeOf(status), onBehalfOf }) =>
              emit(
                {
                  id: newUuid(now.getTime()),
                  time: now.toISOString(),
                  type,
                  project_id: chain,
                  actor,
                  ...(onBehalfOf === undefined ? {} : { on_behalf_of: onBehalfOf }),
                  request: { id: loggedRequestId(requestId), method: request.method ?? "", path },
                  outcome,
                  status,
                  data: redactData(data, redaction),
                } as AuditRecord, // the data of a note is that of its type
                caller.org,
              ),
            ),
          );
        },
      };
    },
  };
};

/** Where the records of a process go. */
export const openAuditTrail = (
  redis: Redis,
  log: Logger,
  metrics: Metrics,
  settings: TrailSettings,
): AuditTrail => {
  if (!settings.AUDIT_RECORDS) return silent;
  const lost = metrics.counter("ikg_audit_lost_total", "Audit records that could not be kept.");
  return trailOn(
    openEmission({ redis, log, deadlineMs: settings.AUDIT_DEADLINE_MS, onLost: () => lost.inc() }),
    settings,
  );
};
