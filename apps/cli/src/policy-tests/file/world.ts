import type { CiqPolicy, KbacPolicy } from "@ikg/policy-core";
import type { KnowledgeQuery } from "@ikg/policy-core/queries";
import type { Diagnostic, Place } from "@ikg/sources";
import type { WorldGraph } from "./read-graph.ts";

/** A configuration record, with the positions of its parts. */
interface Definition {
  readonly name: string;
  readonly status: "ACTIVE" | "INACTIVE" | "DRAFT";
  /** JSON text of the record. */
  readonly text: string;
  readonly place: Place;
  /** The position of an error that starts with a path: `policy.condition.cypher: … (line 1, column 5)`. */
  readonly placeOfFault: (fault: string) => Place;
}

export interface PolicyDefinition extends Definition {
  readonly tags: readonly string[];
  /** Undefined for a draft. */
  readonly compiled: KbacPolicy | CiqPolicy | undefined;
}

export interface QueryDefinition extends Definition {
  readonly policy: string;
  readonly compiled: KnowledgeQuery | undefined;
}

/** A resolver that the runner simulates. */
export interface ResolverDefinition {
  readonly name: string;
  readonly answer: unknown;
  /** Fields of its record; the origin of its address becomes that of the runner. */
  readonly record: Readonly<Record<string, unknown>>;
  readonly place: Place;
}

/** Claims of a token in the file. Issuer and audience default to those of the runner. */
export interface Claims {
  readonly sub: string;
  readonly iss?: string | undefined;
  readonly aud?: string | readonly string[] | undefined;
  readonly [claim: string]: unknown;
}

/** A person whose token can be sent. */
export interface Person {
  readonly name: string;
  readonly claims: Claims;
  /** Type of the node of the person. */
  readonly type: string;
  /** Position of the issuer, or of the claims. */
  readonly place: Place;
}

export interface Entity {
  readonly type: string;
  readonly id: string;
}

type Params = Readonly<Record<string, unknown>>;

interface TestBase {
  readonly title: string;
  readonly place: Place;
  readonly as: Person | undefined;
  readonly params: Params;
}

export interface Decision extends TestBase {
  readonly kind: "decision";
  readonly subject: Entity;
  readonly action: string;
  readonly resource: Entity;
  readonly context: Params;
  readonly expect: {
    readonly granted: boolean;
    readonly status: number;
    readonly reason?: string | undefined;
    readonly advice?: Readonly<Record<string, string>> | undefined;
  };
}

export interface Search extends TestBase {
  readonly kind: "search";
  readonly search: "resources" | "subjects" | "actions";
  /** Has no id if subjects are searched for. */
  readonly subject: { readonly type: string; readonly id?: string };
  readonly action?: string;
  readonly resource: { readonly type: string; readonly id?: string };
  readonly context: Params;
  readonly expect: readonly string[];
}

export interface Query extends TestBase {
  readonly kind: "query";
  readonly query: string;
  readonly writes: boolean;
  readonly expect: {
    readonly status: number;
    readonly advice?: Readonly<Record<string, string>> | undefined;
    readonly rows?: readonly Readonly<Record<string, unknown>>[] | undefined;
    readonly order: "any" | "exact";
    readonly columns: "all" | "listed";
    readonly count?: number | undefined;
  };
}

export type Test = Decision | Search | Query;

/** A parsed test file: the records to load, and the tests. */
export interface World {
  readonly file: string;
  readonly name: string;
  readonly graph: WorldGraph;
  readonly policies: readonly PolicyDefinition[];
  readonly queries: readonly QueryDefinition[];
  readonly resolvers: readonly ResolverDefinition[];
  readonly people: readonly Person[];
  /** Milliseconds since the epoch; undefined: the time of the run. */
  readonly now: number | undefined;
  readonly tests: readonly Test[];
  /** Probable mistakes. */
  readonly warnings: readonly Diagnostic[];
}

/** The result of reading a file, with all files and folders that it depends on. */
export interface ReadWorld {
  readonly world: World | undefined;
  readonly faults: readonly Diagnostic[];
  readonly dependencies: readonly string[];
}
