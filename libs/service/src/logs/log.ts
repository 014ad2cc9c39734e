import { Writable } from "node:stream";
import { createLogger, format, transports, type Logger } from "winston";

/** Names of fields whose values never reach a log, whatever passes them. */
const secretFields = new Set([
  "authorization",
  "password",
  "token",
  "secret",
  "client_secret",
  "api_key",
  "key",
  "x-svc-clientkey",
  "x-internal-call",
  "x-internal-origin",
  "x-internal-context",
]);

/** Characters of a text: the message of an error may come from a project's own database, and be of any length. */
const maxText = 16_384;

const isTooLong = (value: unknown): value is string => typeof value === "string" && value.length > maxText;

const redact = (key: string, value: unknown): unknown => {
  if (secretFields.has(key.toLowerCase())) return "********";
  if (value instanceof Error) return errorFields(value);
  if (isTooLong(value)) return `${value.slice(0, maxText)} …`;
  return typeof value === "bigint" ? value.toString() : value;
};

/** True when nothing in the fields needs `redact`: the usual line of a request, which is written much faster. */
const isPlain = (fields: Readonly<Record<string, unknown>>): boolean => {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (typeof value === "object" || typeof value === "bigint" || isTooLong(value)) return false;
    if (secretFields.has(key.toLowerCase())) return false;
  }
  return true;
};

/** Errors whose texts quote the values of a statement; their code is logged instead. */
const quotesValues = new Set(["Neo4jError", "GQLError"]);

/** An error as fields: what it is, where it happened and what caused it. */
const errorFields = (error: Error, depth = 0): Record<string, unknown> => ({
  name: error.name,
  ...("code" in error ? { code: error.code } : {}),
  ...(quotesValues.has(error.name) ? {} : { message: error.message, stack: error.stack }),
  ...(error.cause instanceof Error && depth < 3 ? { cause: errorFields(error.cause, depth + 1) } : {}),
});

const flushMs = 20;

/**
 * Collects lines for a moment and writes them with one system call: a write per request would cost more than the
 * rest of its log line. What is left goes out when the process ends.
 */
const standardOutput = (): Writable => {
  let lines = "";
  const flush = (): void => {
    const text = lines;
    lines = "";
    if (text !== "") process.stdout.write(text);
  };
  process.once("exit", flush);
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      if (lines === "") setTimeout(flush, flushMs).unref();
      lines += line;
      done();
    },
  });
};

let output: Writable | undefined;

/** JSON lines on standard output: `time level service msg` first, then the fields of the message. */
export const openLog = (service: string, level: string): Logger =>
  createLogger({
    level,
    levels: { error: 0, warn: 1, info: 2, http: 3, debug: 4 },
    format: format.printf(({ level, message, ...fields }) => {
      const line = { time: new Date().toISOString(), level, service, msg: message, ...fields };
      return isPlain(fields) ? JSON.stringify(line) : JSON.stringify(line, redact);
    }),
    transports: [new transports.Stream({ stream: (output ??= standardOutput()), eol: "\n" })],
    exitOnError: false,
  });

export type { Logger };
