import type { CaptureOptions, CaptureResult } from "./capture/capture-batches.ts";
import type { Items } from "./capture/batches.ts";
import type { Capture, RelationshipOptions } from "./capture/capture.ts";
import type {
  Action,
  Decision,
  GraphNode,
  GraphRelationship,
  NodeRef,
  Property,
  QueryPage,
} from "./contract/wire.ts";
import type { DecideOptions } from "./decisions/question.ts";
import type { SearchOptions, SearchPage } from "./decisions/search.ts";
import type { Ikg } from "./ikg.ts";
import type { Pages } from "./pages.ts";
import type { Person } from "./person.ts";
import type { SignedIn } from "./signed-in.ts";
import type { QueryOptions, RowPage, RowsOptions } from "./queries/query.ts";

/** What is known of a project: `ikg codegen` writes it. */
export interface IkgSchema {
  /** Properties of each node type. */
  readonly nodes: Readonly<Record<string, object>>;
  /** Relationship types. */
  readonly relationships: string;
  /** By subject type, resource type and action: the parameters that policies read. */
  readonly actions: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, object>>>>>>;
  /** Stored queries by name. */
  readonly queries: Readonly<Record<string, QuerySchema>>;
}

export interface QuerySchema {
  readonly params: object;
  readonly row: object;
  readonly writes: boolean;
}

export type Names<T> = keyof T & string;
export type ActionsOf<S extends IkgSchema, T> = T extends keyof S["actions"] ? S["actions"][T] : object;

/**
 * Options whose parameters are those of the policies: they may be left out only where there are none, which generated
 * types state as `Record<string, never>`.
 */
type WithParams<Options, Params> = string extends keyof Params
  ? [options?: Omit<Options, "params"> & { readonly params?: Params | undefined }]
  : [options: Omit<Options, "params"> & { readonly params: Params }];

type QueryArguments<Params, Options> = string extends keyof Params
  ? [params?: Params, options?: Options]
  : [params: Params, options?: Options];

interface TypedEntity<Type extends string> {
  readonly type: Type;
  readonly id: string;
  readonly properties?: Record<string, unknown> | undefined;
}

/** Queries that write, or that read. */
type QueryNames<S extends IkgSchema, Writes extends boolean> = {
  [Name in Names<S["queries"]>]: S["queries"][Name]["writes"] extends Writes ? Name : never;
}[Names<S["queries"]>];

interface TypedQueries<S extends IkgSchema> {
  query<Name extends QueryNames<S, false>>(
    id: Name,
    ...rest: QueryArguments<S["queries"][Name]["params"], RowsOptions>
  ): Pages<S["queries"][Name]["row"], RowPage<S["queries"][Name]["row"]>>;
  execute<Name extends QueryNames<S, true>>(
    id: Name,
    ...rest: QueryArguments<S["queries"][Name]["params"], QueryOptions>
  ): Promise<Omit<QueryPage, "data"> & { data: S["queries"][Name]["row"][] }>;
}

type Named<Name extends string> = Name | (Action & { readonly name: Name });

/** A subject of a type, with the actions that policies have for it. */
export interface TypedPerson<S extends IkgSchema, T extends string>
  extends Pick<Person, "subject" | "whoami">, TypedQueries<S> {
  can<R extends Names<ActionsOf<S, T>>, A extends Names<ActionsOf<S, T>[R]>>(
    action: Named<A>,
    resource: TypedEntity<R>,
    ...options: WithParams<DecideOptions, ActionsOf<S, T>[R][A]>
  ): Promise<boolean>;
  decide<R extends Names<ActionsOf<S, T>>, A extends Names<ActionsOf<S, T>[R]>>(
    action: Named<A>,
    resource: TypedEntity<R>,
    ...options: WithParams<DecideOptions, ActionsOf<S, T>[R][A]>
  ): Promise<Decision>;
  resources<R extends Names<ActionsOf<S, T>>, A extends Names<ActionsOf<S, T>[R]>>(
    action: Named<A>,
    type: R,
    ...options: WithParams<SearchOptions, ActionsOf<S, T>[R][A]>
  ): Pages<{ readonly type: R; readonly id: string }, SearchPage<{ readonly type: R; readonly id: string }>>;
  actions<R extends Names<ActionsOf<S, T>>>(
    resource: TypedEntity<R>,
    options?: SearchOptions,
  ): Pages<
    { readonly name: Names<ActionsOf<S, T>[R]> },
    SearchPage<{ readonly name: Names<ActionsOf<S, T>[R]> }>
  >;
}

/** A node of one of the types, with properties that it has. */
type TypedNode<S extends IkgSchema> = {
  [Type in Names<S["nodes"]>]: Omit<GraphNode, "type" | "properties"> & {
    readonly type: Type;
    readonly properties?:
      | readonly {
          [Name in Names<S["nodes"][Type]>]: Omit<Property, "type" | "value"> & {
            readonly type: Name;
            readonly value?: S["nodes"][Type][Name] | undefined;
          };
        }[Names<S["nodes"][Type]>][]
      | undefined;
  };
}[Names<S["nodes"]>];

type TypedRef<S extends IkgSchema> = Omit<NodeRef, "type"> & { readonly type: Names<S["nodes"]> };

interface TypedCapture<S extends IkgSchema> extends Omit<Capture, "nodes" | "relationships"> {
  nodes(nodes: Items<TypedNode<S>>, options?: CaptureOptions): Promise<CaptureResult>;
  relationships(
    relationships: Items<
      Omit<GraphRelationship, "source" | "target" | "type"> & {
        readonly source: TypedRef<S>;
        readonly type: S["relationships"];
        readonly target: TypedRef<S>;
      }
    >,
    options?: RelationshipOptions,
  ): Promise<CaptureResult>;
}

/** A client that knows a project. */
export interface TypedIkg<S extends IkgSchema>
  extends
    Omit<Ikg, "as" | "withToken" | "subjects" | "query" | "execute" | "capture" | "session">,
    TypedQueries<S> {
  readonly capture: TypedCapture<S>;
  as<T extends Names<S["nodes"]>>(
    subject: TypedEntity<T> & { readonly token?: string | undefined },
  ): TypedPerson<S, T>;
  withToken(token: string): Pick<SignedIn, "whoami"> & TypedQueries<S>;
  subjects<
    T extends Names<S["actions"]>,
    R extends Names<ActionsOf<S, T>>,
    A extends Names<ActionsOf<S, T>[R]>,
  >(
    type: T,
    action: Named<A>,
    resource: TypedEntity<R>,
    ...options: WithParams<SearchOptions, ActionsOf<S, T>[R][A]>
  ): Pages<{ readonly type: T; readonly id: string }, SearchPage<{ readonly type: T; readonly id: string }>>;
  session(consistencyToken?: string): TypedIkg<S> & { readonly consistencyToken: string | undefined };
}

/**
 * The same client with the types of a project: unknown actions, types and queries, and missing parameters, do not compile.
 * Nothing is checked when the program runs.
 */
export const typed = <S extends IkgSchema>(ikg: Ikg): TypedIkg<S> => ikg as unknown as TypedIkg<S>; // narrower types of the same calls
