import type { Explanation, QueryExplanation } from "@ikg/contracts";
import type { Diagnostic, Place } from "@ikg/sources";
import type { Decision, Query, Search, World } from "../file/world.ts";

type Claims = Readonly<Record<string, unknown>> | undefined;

/** The data of one request for coverage. */
export type Observation =
  | {
      readonly kind: "decision";
      readonly test: Decision;
      readonly claims: Claims;
      readonly explanation: Explanation | undefined;
    }
  | { readonly kind: "search"; readonly test: Search }
  | {
      readonly kind: "query";
      readonly test: Query;
      readonly claims: Claims;
      readonly status: number;
      readonly explanation: QueryExplanation | undefined;
    };

/** The outcome of one test. */
export interface Outcome {
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
  /** The explanation of the response, one reason per line. */
  readonly why: readonly string[];
  readonly observation: Observation;
}

/** `error`: the test could not be run. */
export type TestStatus = "passed" | "failed" | "error";

export interface TestResult {
  readonly title: string;
  readonly place: Place;
  readonly status: TestStatus;
  readonly milliseconds: number;
  /** Empty for a passed test. */
  readonly expected: string;
  readonly actual: string;
  readonly why: readonly string[];
}

/** The results of a file. */
export interface FileResult {
  readonly file: string;
  readonly name: string;
  readonly tests: readonly TestResult[];
  /** The reason why the file was not run: its diagnostics, or a message for the whole file. */
  readonly faults: readonly Diagnostic[];
  readonly problem?: string | undefined;
  readonly warnings: readonly Diagnostic[];
  readonly milliseconds: number;
  readonly world: World | undefined;
  readonly observations: readonly Observation[];
}

/** Whether a file could not be run completely. */
export const couldNotRun = ({ faults, problem, tests }: FileResult): boolean =>
  faults.length > 0 || problem !== undefined || tests.some(({ status }) => status === "error");
