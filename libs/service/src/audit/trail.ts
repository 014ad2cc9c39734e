import {
  type Actor,
  type AuditedRequest,
  type AuditRecord,
  type Emission,
  fitRecord,
  openEmission,
  type Outcome,
} from "@ikg/audit";
import { type Caller, newUuid, type ServiceName, omitUndefined } from "@ikg/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "../logs/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { BaseSettings } from "../settings/settings.ts";
import type { AuditNote, Note } from "./note.ts";

/** The notes of one request. */
export interface RequestTrail {
  readonly note: Note;
  /** Emits records of the notes since the last call, and waits until they are stored. */
  flush(caller: Caller, status: number): Promise<void>;
  /** The record of a note, without emitting it; undefined where audit records are disabled. */
  recordOf(note: AuditNote, caller: Caller, status: number): Promise<AuditRecord | undefined>;
}

export interface AuditTrail {
  begin(request: AuditedRequest): RequestTrail;
  /** Emits the record of an event that no request caused; its actor is the service. */
  recordSystemEvent(organization: string, createNote: () => AuditNote): Promise<void>;
}

const actorOf = (caller: Caller): Actor => {
  switch (caller.kind) {
    case "agent":
      return { type: "app_agent", id: caller.agent, credential_kid: caller.credential_kid };
    case "service_account":
      return { type: "service_account", id: caller.service_account, credential_kid: caller.credential_kid };
    case "user":
      return omitUndefined({
        type: "user" as const,
        issuer: caller.issuer,
        sub: caller.sub,
        name: caller.name,
      });
  }
};

const outcomeOf = (status: number): Outcome =>
  status < 400 ? "success" : status === 401 || status === 403 ? "denied" : "failed";

const silent: AuditTrail = {
  begin: () => ({ note: () => undefined, flush: async () => undefined, recordOf: async () => undefined }),
  recordSystemEvent: async () => undefined,
};

type TrailSettings = Pick<
  BaseSettings,
  "AUDIT_RECORDS" | "AUDIT_INPUT_PARAMS" | "AUDIT_VALUES" | "AUDIT_DEADLINE_MS"
>;

const trailOn = ({ emit }: Emission, name: ServiceName, settings: TrailSettings): AuditTrail => {
  const redaction = { inputParams: settings.AUDIT_INPUT_PARAMS, values: settings.AUDIT_VALUES };
  const recordOf = (
    { type, chain, data, onBehalfOf }: AuditNote,
    about: Pick<AuditRecord, "actor" | "outcome"> & Partial<Pick<AuditRecord, "request" | "status">>,
  ): Promise<AuditRecord> => {
    const now = new Date();
    const record = {
      id: newUuid(now.getTime()),
      time: now.toISOString(),
      type,
      project_id: chain,
      ...(onBehalfOf === undefined ? {} : { on_behalf_of: onBehalfOf }),
      ...about,
      data,
    } as AuditRecord; // the data of a note is that of its type
    return fitRecord(record, redaction);
  };
  return {
    begin: (request) => {
      let notes: AuditNote[] = [];
      const recordOfRequest = (note: AuditNote, caller: Caller, status: number): Promise<AuditRecord> => {
        const { outcome = outcomeOf(status) } = note;
        return recordOf(note, { actor: actorOf(caller), request, outcome, status });
      };
      return {
        recordOf: recordOfRequest,
        note: (createNote) => void notes.push(createNote()),
        flush: async (caller, status) => {
          if (notes.length === 0) return;
          const pending = notes;
          notes = [];
          const records = await Promise.all(pending.map((note) => recordOfRequest(note, caller, status)));
          await Promise.all(records.map((record) => emit(record, caller.org)));
        },
      };
    },
    recordSystemEvent: async (organization, createNote) => {
      const note = createNote();
      const { outcome = "success" } = note;
      await emit(await recordOf(note, { actor: { type: "system", id: name }, outcome }), organization);
    },
  };
};

/** Where the records of a process go. */
export const openAuditTrail = (
  name: ServiceName,
  redis: Redis,
  log: Logger,
  metrics: Metrics,
  settings: TrailSettings,
): AuditTrail => {
  if (!settings.AUDIT_RECORDS) return silent;
  const lost = metrics.counter("ikg_audit_lost_total", "Audit records that could not be kept.");
  return trailOn(
    openEmission({
      redis,
      log,
      deadlineMs: settings.AUDIT_DEADLINE_MS,
      onLost: () => lost.inc(),
    }),
    name,
    settings,
  );
};
