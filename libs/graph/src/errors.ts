import { Problem } from "@ikg/contracts";
import { tlsFault } from "@ikg/tls";
import { Neo4jError } from "neo4j-driver";

/** A statement or transaction ran past its limit and was stopped. The service decides what that means. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
  readonly timeoutMs: number;

  constructor(timeoutMs: number, cause?: unknown) {
    super(`the statement ran past its limit of ${timeoutMs} ms`, cause === undefined ? undefined : { cause });
    this.timeoutMs = timeoutMs;
  }
}

/** The database cannot be used now, and may be in a moment; the message is one line for an operator. */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
}

/**
 * The database could not evaluate the statement with the values at hand: a text where a number is needed, a division
 * by zero, an invalid date. The service decides what that means; the database's own text is in `cause`.
 */
export class DataFault extends Error {
  override readonly name = "DataFault";

  constructor(cause: unknown, message = "the statement cannot be evaluated with these values") {
    super(message, { cause });
  }
}

/** Tells a caller of a `DataFault`. The text of the database would show whether the caller or the graph holds the value. */
export const dataFaultReason = "cannot be evaluated with the values of the request and the graph";

/**
 * The statement needs more memory than the database gives to one transaction, however often it is tried. Its message names the
 * limit; nothing was written.
 */
export class MemoryLimitExceeded extends DataFault {
  constructor(cause: Neo4jError) {
    super(
      cause,
      `needs more memory than one transaction may use (limit ${transactionMemorySetting}${valueOf(cause)})`,
    );
  }
}

/** The server is older than the oldest version that the statements run on. */
export class UnsupportedServerVersionError extends Error {
  override readonly name = "UnsupportedServerVersionError";

  constructor(version: string) {
    super(`Neo4j ${version} is older than 5.26`);
  }
}

/** A connection to a host that is not allowed; the reason is in `cause`. */
export class HostNotAllowedError extends Error {
  override readonly name = "HostNotAllowedError";

  constructor(cause: unknown) {
    super("the host of a project's own database is not allowed", { cause });
  }
}

/**
 * `SyntaxError` is among them: the database answers it when a value cannot be read as a date, or as a regular
 * expression; so are `ExecutionFailed`, for a negative length, and `ProcedureCallFailed`, for a date of a wrong kind. What is
 * wrong with a text itself is found when it is planned.
 */
const dataCode =
  /^Neo\.(ClientError\.Statement\.(TypeError|ArgumentError|ArithmeticError|SyntaxError)|ClientError\.Procedure\.ProcedureCallFailed|DatabaseError\.Statement\.ExecutionFailed)$/;

/** Seconds of `Retry-After` when the database cannot be reached or is overloaded. */
const retryAfter = { "Retry-After": "5" };

const transactionMemorySetting = "db.memory.transaction.max";
/** One limit of memory was met: of a transaction, or of all of them. Only the text names which one. */
const memoryCode =
  /^Neo\.(TransientError\.General\.(MemoryPoolOutOfMemoryError|TransactionMemoryLimit)|ClientError\.General\.TransactionOutOfMemoryError)$/;
const transactionMemoryText = /\bdb\.memory\.transaction\.max threshold reached/;

/** Value of the limit in the words of the server, `, 64.0 MiB`; empty where it does not say so. */
const valueOf = ({ message }: Neo4jError): string => {
  const [, value] = /\bmore than the limit (\d+(?:\.\d+)? [KMGT]?i?B)\b/.exec(message) ?? [];
  return value === undefined ? "" : `, ${value}`;
};

/** True when one transaction met its own limit of memory: another try meets it again. */
const exceedsOwnMemory = ({ code, message }: Neo4jError): boolean =>
  code === "Neo.ClientError.General.TransactionOutOfMemoryError" ||
  (memoryCode.test(code) && transactionMemoryText.test(message));

const timeoutCode = /\.Transaction\.TransactionTimedOut/;
const credentialCode =
  /^Neo\.ClientError\.Security\.(Unauthorized|AuthenticationRateLimit|CredentialsExpired)$/;
const poolExhausted = /^Connection acquisition timed out/;
/**
 * Nothing was done, and nothing will be before an operator repairs the server: it takes no writes, or its disk is full and it has
 * stopped the database.
 */
const outOfServiceCode =
  /^Neo\.(ClientError\.General\.(WriteOnReadOnlyAccessDatabase|ForbiddenOnReadOnlyDatabase)|DatabaseError\.Transaction\.TransactionStartFailed)$/;
const overloadCode =
  /^Neo\.TransientError\.(General\.(MemoryPoolOutOfMemoryError|TransactionMemoryLimit)|Transaction\.MaximumTransactionLimitReached|Request\.NoThreadsAvailable)$/;
const rolledBackCode =
  /^Neo\.(ClientError\.|TransientError\.(General\.(MemoryPoolOutOfMemoryError|TransactionMemoryLimit)|Transaction\.(DeadlockDetected|LockAcquisitionTimeout))$)/;
/** The driver has several codes for a connection that is lost, `ProtocolError` among them. */
const closed =
  /^Pool is closed|^Driver is closed|closed driver|^Failed to connect to server|^Connection was closed by server/i;
/** Why this package ends a connection to a server; the driver's error contains this text. */
export const responseTooLargeMessage = "the response of the Neo4j server exceeds the byte limit";
/** Errors of the driver before it has a connection, and of a session that was closed while it waited for one. */
const neverSent =
  /^Connection acquisition timed out|^Pool is closed|^Could not perform discovery|^No servers available|Failed to establish connection in|Caused by: (connect (ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)|getaddrinfo (ENOTFOUND|EAI_AGAIN))\b|^(Cannot run query in|You cannot run more transactions on) a closed session/;
/** The server had ended what went before, or takes no writes; it read the statement no further. */
const refusedUnread = /^Ignored either because of an error or RESET|^No longer possible to write to server/;

/** The words alone tell: the code is one of many faults. */
const schemaChanging = /insanely frequent schema changes/;

/** Error of the database or the driver, through the wrapping of this package. A lost commit has none: it is over. */
const sourceOf = (error: unknown): Neo4jError | undefined => {
  if (error instanceof Neo4jError) return error;
  const wraps = error instanceof DataFault || (error instanceof Problem && error.code !== "commit_unknown");
  return wraps ? sourceOf(error.cause) : undefined;
};

const codeOf = (error: unknown): string | undefined => sourceOf(error)?.code;

/** True when no connection could be had, or one was lost. */
const isConnectionTrouble = (error: Neo4jError): boolean =>
  error.code === "ServiceUnavailable" ||
  error.code === "SessionExpired" ||
  poolExhausted.test(error.message) ||
  closed.test(error.message) ||
  error.message.includes(responseTooLargeMessage);

/** True when there was no connection to the server, or it ended. */
export const isConnectionLost = (error: unknown): boolean => {
  const source = sourceOf(error);
  return source !== undefined && isConnectionTrouble(source) && !poolExhausted.test(source.message);
};

/** True for an error of the server, false for one of the driver. */
export const isOfServer = ({ code }: Neo4jError): boolean => code.startsWith("Neo.");

/**
 * True when no connection could be had, so that nothing was sent. The driver has one code for that and for a connection
 * that is lost, so its words decide; what is in doubt counts as lost.
 */
export const isNeverSent = ({ message }: Neo4jError): boolean => neverSent.test(message);

/** True when the server refused a statement without carrying it out, in the driver's words. */
export const isRefusedUnread = ({ message }: Neo4jError): boolean => refusedUnread.test(message);

/** True when the server did not begin a statement because constraints and indexes changed while it planned it, many times over. */
export const isUnplanned = (error: unknown): boolean => schemaChanging.test(sourceOf(error)?.message ?? "");

/**
 * True when the same work may succeed now: after deadlocks above all, after a concurrent deletion of what it had found,
 * which the database calls an error of the client, and while an upgrade makes constraints.
 */
export const isTransient = (error: unknown): boolean => {
  const source = sourceOf(error);
  return (
    source !== undefined &&
    (/^Neo\.(TransientError\.|ClientError\.Statement\.EntityNotFound$)/.test(source.code) ||
      isUnplanned(source)) &&
    !timeoutCode.test(source.code) &&
    !exceedsOwnMemory(source)
  );
};

/**
 * True when the server had no memory, thread or transaction left for the statement, which other statements hold: it was not
 * carried out, and may be in a moment.
 */
export const isOverloaded = (error: unknown): boolean => {
  const source = sourceOf(error);
  return source !== undefined && overloadCode.test(source.code) && !exceedsOwnMemory(source);
};

/**
 * True when the answer to a commit proves that nothing was committed. Locks and memory of a commit are taken while its
 * commands are made, before the first of them is written to the log.
 */
export const isRolledBack = (error: unknown): boolean => rolledBackCode.test(codeOf(error) ?? "");

/** True when the server refused the user name or the password. */
export const isCredentialRefused = (error: unknown): boolean => credentialCode.test(codeOf(error) ?? "");

/**
 * True when the user name or the password is wrong, at every attempt. A server that rejects too many attempts proves
 * nothing about them: another client may have caused it.
 */
export const isCredentialWrong = (error: unknown): boolean =>
  isCredentialRefused(error) && !(codeOf(error) ?? "").endsWith("RateLimit");

/** True when a write met a uniqueness constraint, or a delete a node that still has relationships. */
export const isConstraintViolation = (error: unknown): boolean =>
  codeOf(error) === "Neo.ClientError.Schema.ConstraintValidationFailed";

/** True when another process made the same index or constraint at the same moment. */
export const isSchemaRace = (error: unknown): boolean =>
  /^Neo\.ClientError\.Schema\.(EquivalentSchemaRule|Constraint|Index)AlreadyExists$/.test(
    codeOf(error) ?? "",
  );

/**
 * True when the server refused a write in READ mode: the text is at fault, whatever its parameters. A
 * `SyntaxError` is not such a sign: the database also returns it when a value cannot be parsed as a date.
 */
export const isWriteRefused = (error: unknown): boolean =>
  codeOf(error) === "Neo.ClientError.Statement.AccessMode";

/**
 * What a failure means to a caller. The text of the database stays in `cause`: it is
 * logged and never answered.
 */
export const problemOf = (error: unknown, timeoutMs: number): unknown => {
  if (error instanceof HostNotAllowedError) return unavailable(error);
  if (!(error instanceof Neo4jError)) return error;
  if (timeoutCode.test(error.code)) return new StatementTimeout(timeoutMs, error);
  if (exceedsOwnMemory(error)) return new MemoryLimitExceeded(error);
  const isUnavailable = isConnectionTrouble(error) || isTransient(error) || isCredentialRefused(error);
  if (isUnavailable || outOfServiceCode.test(error.code)) return unavailable(error);
  return dataCode.test(error.code) ? new DataFault(error) : new Problem("internal", { cause: error });
};

/**
 * The answer while the database cannot be reached, is overloaded, or is refused.
 *
 * @param errors details that the caller is shown.
 */
export const unavailable = (cause: unknown, errors: readonly string[] = []): Problem =>
  new Problem("unavailable", { headers: retryAfter, errors, cause });

/** The error where the response of a project's own database to one statement exceeds its byte limit. */
export const responseTooLarge = (maxBytes: number): Problem =>
  unavailable(new DatabaseUnavailableError(`the response to a statement exceeds ${maxBytes} bytes`));

/** True for a statement that ran past its limit, and for the Problem that it became. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof StatementTimeout || (error instanceof Problem && error.cause instanceof StatementTimeout);

/**
 * The answer where a statement ran past its limit: it was rolled back, so the caller may retry.
 *
 * @returns Problem `unavailable` (503) for a StatementTimeout; every other error unchanged.
 */
export const timeoutAsUnavailable = (error: unknown): unknown =>
  error instanceof StatementTimeout ? unavailable(error) : error;

/** @throws the error that `timeoutAsUnavailable` returns. */
export const withTimeoutAsUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw timeoutAsUnavailable(error);
  }
};

/** The answer to a commit that was sent and never acknowledged: it may have been carried out. */
export const commitUnknown = (cause: unknown): Problem => new Problem("commit_unknown", { cause });

const unusable: readonly (readonly [RegExp, string])[] = [
  [credentialCode, "the user name or the password is refused"],
  [/^Neo\.ClientError\.Database\.DatabaseNotFound$/, "there is no database of this name"],
  [
    /^Neo\.ClientError\.(Security\.Forbidden|Cluster\.NotALeader|General\.WriteOnReadOnlyAccessDatabase|General\.ForbiddenOnReadOnlyDatabase)$/,
    "the database cannot be written",
  ],
  [
    /^Neo\./,
    "Neo4j refused a statement that prepares the database: its constraints, its indexes or its claim; the log of the Neo4j server has the reason",
  ],
];

/** Why a database cannot be used, in one line for its administrator; without the server's own message. */
export const whyUnusable = (error: unknown): string => {
  if (error instanceof StatementTimeout) return "no answer in time";
  if (error instanceof Problem && error.cause instanceof HostNotAllowedError)
    return "the host is not allowed";
  if (error instanceof Problem && error.cause instanceof UnsupportedServerVersionError)
    return "the server is older than Neo4j 5.26";
  const code = codeOf(error);
  const known = code === undefined ? undefined : unusable.find(([pattern]) => pattern.test(code));
  if (known !== undefined) return known[1];
  const fault = tlsFault(error);
  return fault === undefined ? "the server cannot be reached" : `the server cannot be reached: ${fault}`;
};
