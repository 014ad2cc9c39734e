import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { Neo4jError } from "neo4j-driver";
import {
  DataFault,
  commitUnknown,
  isWriteRefused,
  isConnectionLost,
  isConstraintViolation,
  isCredentialRefused,
  isCredentialWrong,
  isNeverSent,
  isOverloaded,
  isRefusedUnread,
  isRolledBack,
  isStatementTimeout,
  isTransient,
  MemoryLimitExceeded,
  problemOf,
  StatementTimeout,
  withTimeoutAsUnavailable,
} from "./errors.ts";

const text = "MATCH (n:Secret__p1) on db.internal:7687";
const failure = (code: string, message = text): Neo4jError => new Neo4jError(message, code, "50N42", message);

describe("problemOf", () => {
  it.each([
    "ServiceUnavailable",
    "SessionExpired",
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.Transaction.MaximumTransactionLimitReached",
    "Neo.TransientError.Request.NoThreadsAvailable",
    "Neo.TransientError.Transaction.DeadlockDetected",
    "Neo.ClientError.Statement.EntityNotFound",
    "Neo.ClientError.Security.Unauthorized",
    "Neo.ClientError.Security.AuthenticationRateLimit",
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
    "Neo.DatabaseError.Transaction.TransactionStartFailed",
  ])("%s: 503 with Retry-After", (code) => {
    expect(problemOf(failure(code), 1)).toMatchObject({
      code: "unavailable",
      status: 503,
      headers: { "Retry-After": "5" },
    });
  });

  it("an exhausted pool: 503", () => {
    const error = failure("N/A", "Connection acquisition timed out in 5000 ms. Pool status: ...");
    expect(problemOf(error, 1)).toMatchObject({ code: "unavailable" });
  });

  it.each([
    "Connection was closed by server",
    "Failed to connect to server. Please ensure that your database is listening. Caused by: read ECONNRESET",
  ])("a connection that is lost while the driver reads from it, %s: 503", (message) => {
    const error = failure("ProtocolError", message);
    expect(problemOf(error, 1)).toMatchObject({ code: "unavailable" });
    expect(isConnectionLost(error)).toBe(true);
    expect(isNeverSent(error)).toBe(false);
  });

  it.each(["Neo.DatabaseError.General.UnknownError", "Neo.DatabaseError.Statement.ExecutionFailed"])(
    "%s of a statement that could not be planned beside an upgrade: 503, and tried again",
    (code) => {
      const error = failure(code, "Could not compile query due to insanely frequent schema changes");
      expect(problemOf(error, 1)).toMatchObject({ code: "unavailable" });
      expect(isTransient(error)).toBe(true);
    },
  );

  it.each([
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
    "Neo.TransientError.Transaction.TransactionTimedOut",
  ])("%s: StatementTimeout", (code) => {
    const error = problemOf(failure(code), 250);
    expect(error).toBeInstanceOf(StatementTimeout);
    expect(error).toMatchObject({ timeoutMs: 250 });
  });

  it.each([
    "Neo.ClientError.Statement.AccessMode",
    "Neo.ClientError.Schema.ConstraintValidationFailed",
    "Neo.DatabaseError.General.UnknownError",
  ])("%s: 500", (code) =>
    expect(problemOf(failure(code), 1)).toMatchObject({ code: "internal", status: 500 }),
  );

  it.each([
    "Neo.ClientError.Statement.SyntaxError",
    "Neo.ClientError.Statement.ArithmeticError",
    "Neo.ClientError.Statement.TypeError",
    "Neo.ClientError.Statement.ArgumentError",
    "Neo.DatabaseError.Statement.ExecutionFailed",
    "Neo.ClientError.Procedure.ProcedureCallFailed",
  ])("%s: DataFault", (code) => {
    const cause = failure(code);
    const fault = problemOf(cause, 1);
    expect(fault).toBeInstanceOf(DataFault);
    expect(fault).toMatchObject({ cause, message: "the statement cannot be evaluated with these values" });
  });

  it("says nothing of the database to the caller and keeps the cause for the log", () => {
    const cause = failure("Neo.DatabaseError.General.UnknownError");
    const problem = problemOf(cause, 1);
    expect(problem).toBeInstanceOf(Problem);
    if (!(problem instanceof Problem)) return;
    expect(
      JSON.stringify([problem.message, problem.errors, problem.headers, problem.envelope()]),
    ).not.toContain("Secret");
    expect(problem.cause).toBe(cause);
  });

  it.each([
    [
      "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
      "The allocation of an extra 2.0 MiB would use more than the limit 64.0 MiB. Currently using 63.0 MiB. db.memory.transaction.max threshold reached",
      "(limit db.memory.transaction.max, 64.0 MiB)",
    ],
    ["Neo.ClientError.General.TransactionOutOfMemoryError", text, "(limit db.memory.transaction.max)"],
  ])("%s of one transaction: MemoryLimitExceeded, which no retry changes", (code, message, limit) => {
    const cause = failure(code, message);
    const fault = problemOf(cause, 1);
    expect(fault).toBeInstanceOf(MemoryLimitExceeded);
    expect(fault).toMatchObject({
      cause,
      message: `needs more memory than one transaction may use ${limit}`,
    });
    expect([isTransient(cause), isTransient(fault), isOverloaded(fault)]).toEqual([false, false, false]);
    expect(isRolledBack(cause)).toBe(true);
  });

  it.each(["dbms.memory.transaction.total.max", "db.memory.transaction.total.max"])(
    "the memory of all transactions (%s): 503, tried again",
    (setting) => {
      const cause = failure(
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        `The allocation of an extra 2.0 MiB would use more than the limit 120.0 MiB. Currently using 120.0 MiB. ${setting} threshold reached`,
      );
      expect(problemOf(cause, 1)).toMatchObject({ code: "unavailable", headers: { "Retry-After": "5" } });
      expect([isTransient(cause), isOverloaded(cause), isRolledBack(cause)]).toEqual([true, true, true]);
    },
  );

  it("leaves what is no failure of the database", () => {
    const own = new Problem("not_found");
    expect(problemOf(own, 1)).toBe(own);
  });
});

describe("withTimeoutAsUnavailable", () => {
  const failureOf = (cause: unknown): Promise<unknown> =>
    withTimeoutAsUnavailable(() => Promise.reject(cause)).catch((thrown: unknown) => thrown);

  it("a statement that ran past its limit: 503 with Retry-After, still recognized as a timeout", async () => {
    const cause = new StatementTimeout(250);
    const problem = await failureOf(cause);
    expect(problem).toMatchObject({ code: "unavailable", headers: { "Retry-After": "5" }, cause });
    expect([cause, problem].map(isStatementTimeout)).toEqual([true, true]);
  });

  it("leaves every other error", async () => {
    const error = new Problem("unavailable");
    expect(await failureOf(error)).toBe(error);
    expect(isStatementTimeout(error)).toBe(false);
  });
});

describe("kinds of failures", () => {
  it("are recognized in the driver's error and in the problem made of it", () => {
    const deadlock = failure("Neo.TransientError.Transaction.DeadlockDetected");
    expect([isTransient(deadlock), isTransient(problemOf(deadlock, 1))]).toEqual([true, true]);
    const violation = problemOf(failure("Neo.ClientError.Schema.ConstraintValidationFailed"), 1);
    expect([isConstraintViolation(violation), isTransient(violation)]).toEqual([true, false]);
    expect(isCredentialRefused(problemOf(failure("Neo.ClientError.Security.Unauthorized"), 1))).toBe(true);
    expect(isCredentialWrong(problemOf(failure("Neo.ClientError.Security.Unauthorized"), 1))).toBe(true);
    const lockedOut = problemOf(failure("Neo.ClientError.Security.AuthenticationRateLimit"), 1);
    expect([isCredentialRefused(lockedOut), isCredentialWrong(lockedOut)]).toEqual([true, false]);
    expect(isWriteRefused(problemOf(failure("Neo.ClientError.Statement.AccessMode"), 1))).toBe(true);
    expect(isWriteRefused(problemOf(failure("Neo.ClientError.Statement.SyntaxError"), 1))).toBe(false);
    expect(isTransient(failure("Neo.TransientError.Transaction.TransactionTimedOut"))).toBe(false);
    expect([isTransient(new Error("x")), isConstraintViolation(undefined)]).toEqual([false, false]);
  });

  it.each([
    "Connection acquisition timed out in 5000 ms. Pool status: Active conn count = 50.",
    "Failed to connect to server. Please ensure … Caused by: connect ECONNREFUSED 127.0.0.1:7687",
    "Failed to connect to server. Please ensure … Caused by: getaddrinfo ENOTFOUND db",
    "Failed to establish connection in 5000ms",
    "You cannot run more transactions on a closed session.",
  ])("never sent: %s", (message) => {
    expect(isNeverSent(failure("ServiceUnavailable", message))).toBe(true);
  });

  it.each([
    "Failed to connect to server. Please ensure … Caused by: read ECONNRESET",
    "Failed to connect to server. Please ensure … Caused by: read EHOSTUNREACH",
    "Failed to connect to server. Please ensure … Caused by: write EPIPE",
    "Connection was closed by server",
    "Connection lost. Server didn't respond in 120000ms",
  ])("in doubt: %s", (message) => {
    expect(isNeverSent(failure("ServiceUnavailable", message))).toBe(false);
    expect(isRefusedUnread(failure("ServiceUnavailable", message))).toBe(false);
  });

  it("a commit without an answer is over: it is never tried again", () => {
    const unknown = commitUnknown(failure("Neo.TransientError.Transaction.DeadlockDetected"));
    expect(unknown).toMatchObject({ code: "commit_unknown", status: 500 });
    expect([isTransient(unknown), isConstraintViolation(unknown), isRolledBack(unknown)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("a commit that the server refused is rolled back; one that was lost is not known", () => {
    expect(isRolledBack(failure("Neo.TransientError.Transaction.DeadlockDetected"))).toBe(true);
    expect(isRolledBack(failure("Neo.ClientError.Schema.ConstraintValidationFailed"))).toBe(true);
    expect(isRolledBack(failure("Neo.TransientError.General.MemoryPoolOutOfMemoryError"))).toBe(true);
    expect(isRolledBack(failure("Neo.TransientError.Transaction.LockAcquisitionTimeout"))).toBe(true);
    expect(isRolledBack(failure("Neo.TransientError.General.OutOfMemoryError"))).toBe(false);
    expect(isRolledBack(failure("ServiceUnavailable"))).toBe(false);
    expect(isRolledBack(failure("Neo.DatabaseError.Transaction.TransactionCommitFailed"))).toBe(false);
    expect(isRolledBack(failure("Neo.TransientError.Cluster.ReplicationFailure"))).toBe(false);
  });
});
