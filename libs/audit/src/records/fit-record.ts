import { openDigests } from "./digest.ts";
import type { Actor } from "./envelope.ts";
import { type CutField, type Fields, type FitParts, fitFields } from "./fit-fields.ts";
import type { AuditRecord } from "./record.ts";
import type { RedactionSettings } from "./redaction-settings.ts";

/** Most bytes of a record as JSON. */
export const maxRecordBytes = 16 * 1024;

/** Bytes for the end user and the request of a record, whatever a token or a client sends. */
const userBytes = 2_048;
const requestBytes = 1_024;
const maxNameInPointer = 64;

/** RFC 6901. */
const pointer = (path: readonly string[]): string =>
  path
    .map(
      (name) =>
        `/${name.slice(0, maxNameInPointer).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")}`,
    )
    .join("");

const described = ({ path, original, kept, shorten }: CutField, { digests }: FitParts) => ({
  field: pointer(path),
  ...digests(original, shorten),
  ...(kept === undefined ? {} : { kept }),
});

/** The actor with U+FFFD in place of lone surrogates: the name of a person is what their provider says. */
const wellFormedActor = (actor: Actor): Actor =>
  // Every member is a text.
  Object.fromEntries(Object.entries(actor).map(([name, value]) => [name, value?.toWellFormed()])) as Actor;

const fit = (record: AuditRecord, parts: FitParts): AuditRecord => {
  const { data, on_behalf_of: user, request, ...rest } = record;
  const envelope = { ...rest, actor: wellFormedActor(record.actor) };
  const part = (name: string, fields: Fields | undefined, maxBytes: number) => {
    if (fields === undefined) return undefined;
    const { value, cuts } = fitFields(fields, maxBytes, [name], parts);
    return { value: { [name]: value }, cuts };
  };
  const outer = [part("on_behalf_of", user, userBytes), part("request", request, requestBytes)];
  for (let maxBytes = maxRecordBytes; ;) {
    const fitted = [...outer, part("data", data, maxBytes)].filter((each) => each !== undefined);
    const cuts = fitted.flatMap((each) => each.cuts);
    const whole = Object.assign(
      { ...envelope },
      ...fitted.map(({ value }) => value),
      cuts.length === 0 ? {} : { cut: cuts.map((cut) => described(cut, parts)) },
    ) as AuditRecord; // every field is that of the record, or a shorter one of the same form
    const excess = Buffer.byteLength(JSON.stringify(whole)) - maxRecordBytes;
    if (excess <= 0 || maxBytes <= 0) return whole;
    maxBytes -= excess;
  }
};

/**
 * The record as it is emitted: redacted as the settings say, and at most 16 KiB of JSON. Fields that are cut are named
 * in `cut` with the length and the SHA-256 of their JSON.
 */
export const fitRecord = async (record: AuditRecord, settings: RedactionSettings): Promise<AuditRecord> => {
  const digests = openDigests();
  for (;;) {
    const fitted = fit(record, { settings, digests: digests.of });
    if (!(await digests.settle())) return fitted;
  }
};
