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
  new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid params: not a cursor of this list");

/** Lists of one page give no cursors, so none can come back. */
export const refuseCursor = (cursor: string | undefined): void => {
  if (cursor !== undefined) throw invalidCursor();
};

const isAfter = (query: QueryDescription, name: string, id: string): boolean =>
  query.name > name || (query.name === name && query.id > id);

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** As many as fit into so many bytes, and one in any case. */
const fitting = (resources: readonly Resource[], mostBytes: number): readonly Resource[] => {
  let bytes = 0;
  const end = resources.findIndex((each, index) => {
    bytes += Buffer.byteLength(JSON.stringify(each));
    return index > 0 && bytes > mostBytes;
  });
  return end < 0 ? resources : resources.slice(0, end);
};

/** @param mostBytes of a page of the list, and of what is read at one time. */
export const openResources = (cursors: Cursors, mostBytes: number): Resources => {
  // The list hangs on the state of the project, as the state is the same object for as long as nothing changes.
  const described = new WeakMap<ProjectSnapshot, readonly QueryDescription[]>();
  const queriesOf = (view: ProjectSnapshot): readonly QueryDescription[] => {
    const known = described.get(view);
    if (known !== undefined) return known;
    const made = view.queries().flatMap((query) => describeQuery(query) ?? []);
    described.set(view, made);
    return made;
  };
  const contentOf = (view: ProjectSnapshot, uri: string): unknown => {
    if (!uri.startsWith(scheme)) return undefined;
    const rest = uri.slice(scheme.length);
    if (rest === "") return queriesOf(view);
    const name = decoded(rest);
    return queriesOf(view).find((query) => query.id === name || query.name === name);
  };
  return {
    list: (view, cursor) => {
      const project = view.project.id;
      const queries = queriesOf(view);
      const from = cursor === undefined ? undefined : cursors.read(cursor, "resources/list", project);
      if (cursor !== undefined && from === undefined) throw invalidCursor();
      const rest =
        from === undefined ? queries : queries.filter((query) => isAfter(query, from.name, from.id));
      const resources = fitting(rest.slice(0, pageSize).map(resourceOf), mostBytes);
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
      return {
        resourceTemplates: [
          {
            uriTemplate: `${scheme}{id}`,
            name: "knowledge-query",
            description: "One knowledge query by its gid or name: its parameters and what it returns.",
            mimeType,
          },
        ],
      };
    },
    read: (view, uri) => {
      const content = contentOf(view, uri);
      if (content === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Resource not found", { uri });
      const text = JSON.stringify(content);
      // One query is what its author wrote; all of them are on the pages of the list, too.
      if (Array.isArray(content) && Buffer.byteLength(text) > mostBytes)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Too large to be read at one time (setting MCP_RESULT_BYTES, ${mostBytes}): use resources/list`,
          { uri },
        );
      return { contents: [{ uri, mimeType, text }] };
    },
  };
};
