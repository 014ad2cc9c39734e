import type { Explanation, QueryExplanation } from "@ikg/contracts";
import type { Fault, Place } from "@ikg/sources";
import type { Decision, Query, Search, World } from "../file/world.ts";

type Claims = Readonly<Record<string, unknown>> | undefined;

/** What one question showed of the policies that it met. */
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

/** How one question was answered. */
export interface Outcome {
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
  /** The explanation of the answer, in lines. */
  readonly why: readonly string[];
  readonly observation: Observation;
}

/** `error`: it could not be run. */
export type TestStatus = "passed" | "failed" | "error";

export interface TestResult {
  readonly title: string;
  readonly place: Place;
  readonly status: TestStatus;
  readonly milliseconds: number;
  /** Of a test that passed they are empty. */
  readonly expected: string;
  readonly actual: string;
  readonly why: readonly string[];
}

/** What became of a file. */
export interface FileResult {
  readonly file: string;
  readonly name: string;
  readonly tests: readonly TestResult[];
  /** Why the file was not run: diagnostics in it, or one message for the whole file. */
  readonly faults: readonly Fault[];
  readonly problem?: string | undefined;
  readonly warnings: readonly Fault[];
  readonly milliseconds: number;
  readonly world: World | undefined;
  readonly observations: readonly Observation[];
}

/** A file that could not be run, or not as a whole. */
export const couldNotRun = ({ faults, problem, tests }: FileResult): boolean =>
  faults.length > 0 || problem !== undefined || tests.some(({ status }) => status === "error");
