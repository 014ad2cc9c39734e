import type { ProjectSnapshot } from "@ikg/catalog";
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from "@modelcontextprotocol/server";
import type { Cursors } from "./cursor.ts";
import { describeQuery, mimeType, type QueryDescription, resourceOf, scheme } from "./query-resource.ts";

const pageSize = 100;

/** The knowledge queries of a project as resources. */
export interface Resources {
  list(view: ProjectSnapshot, cursor: string | undefined): ListResourcesResult;
  templates(cursor: string | undefined): ListResourceTemplatesResult;
  read(view: ProjectSnapshot, uri: string): ReadResourceResult;
}

const invalidCursor = (): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid params: not a cursor returned by this endpoint",
  );

/** Lists of one page give no cursors, so none can come back. */
export const refuseCursor = (cursor: string | undefined): void => {
  if (cursor !== undefined) throw invalidCursor();
};

const isAfter = (query: QueryDescription, name: string, id: string): boolean =>
  query.name > name || (query.name === name && query.id > id);

const decodeName = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** As many as fit into that many bytes, and at least one. */
const withinBytes = (resources: readonly Resource[], mostBytes: number): readonly Resource[] => {
  let bytes = 0;
  const end = resources.findIndex((resource, index) => {
    bytes += Buffer.byteLength(JSON.stringify(resource));
    return index > 0 && bytes > mostBytes;
  });
  return end < 0 ? resources : resources.slice(0, end);
};

type Queries = readonly QueryDescription[];

/** Described once per snapshot, as a snapshot is the same object for as long as the project does not change. */
const describeOnce = (): ((view: ProjectSnapshot) => Queries) => {
  const known = new WeakMap<ProjectSnapshot, Queries>();
  return (view) => {
    const queries = known.get(view) ?? view.queries().flatMap((query) => describeQuery(query) ?? []);
    known.set(view, queries);
    return queries;
  };
};

/** All queries for the scheme alone, or the one whose gid or name follows it. */
const contentOf = (queries: Queries, uri: string): unknown => {
  if (!uri.startsWith(scheme)) return undefined;
  const rest = uri.slice(scheme.length);
  if (rest === "") return queries;
  const name = decodeName(rest);
  return queries.find((query) => query.id === name || query.name === name);
};

const readContent = (queries: Queries, uri: string, mostBytes: number): ReadResourceResult => {
  const content = contentOf(queries, uri);
  if (content === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Resource not found", { uri });
  const text = JSON.stringify(content);
  // A single query has no limit: its author chose its length. All of them can also be read page by page.
  if (Array.isArray(content) && Buffer.byteLength(text) > mostBytes)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Too large to be read at one time (setting MCP_RESULT_BYTES, ${mostBytes}): use resources/list`,
      { uri },
    );
  return { contents: [{ uri, mimeType, text }] };
};

const template = {
  uriTemplate: `${scheme}{id}`,
  name: "knowledge-query",
  description: "One knowledge query by its gid or name: its parameters and what it returns.",
  mimeType,
};

/** @param mostBytes of one page of the list, and of the result of one read. */
export const openResources = (cursors: Cursors, mostBytes: number): Resources => {
  const queriesOf = describeOnce();
  return {
    list: (view, cursor) => {
      const project = view.project.id;
      const queries = queriesOf(view);
      const from = cursor === undefined ? undefined : cursors.read(cursor, "resources/list", project);
      if (cursor !== undefined && from === undefined) throw invalidCursor();
      const rest =
        from === undefined ? queries : queries.filter((query) => isAfter(query, from.name, from.id));
      const resources = withinBytes(rest.slice(0, pageSize).map(resourceOf), mostBytes);
      const last = rest[resources.length - 1];
      return {
        resources: [...resources],
        ...(rest.length > resources.length && last !== undefined
          ? { nextCursor: cursors.issue(last, "resources/list", project) }
          : {}),
      };
    },
    templates: (cursor) => {
      refuseCursor(cursor);
      return { resourceTemplates: [template] };
    },
    read: (view, uri) => readContent(queriesOf(view), uri, mostBytes),
  };
};
