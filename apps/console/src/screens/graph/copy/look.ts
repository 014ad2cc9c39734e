import { curl, tokenHeader } from "../../../snippets/curl.ts";

/** One view of the graph, which can be copied as a request. */
export type Look =
  | { readonly kind: "nodes"; readonly type?: string | undefined; readonly prefix?: string | undefined }
  | { readonly kind: "node"; readonly type: string; readonly id: string }
  | {
      readonly kind: "neighbours";
      readonly type: string;
      readonly id: string;
      readonly types: readonly string[];
      readonly direction: "in" | "out" | undefined;
    }
  | { readonly kind: "schema" };

interface LookOptions {
  readonly baseUrl: string;
  readonly projectId: string;
}

interface Request {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** `.` and `..` are no segments of a path: such an id stands in the query. */
const nodeRequest = (type: string, id: string): Request => {
  const isRemoved = id === "." || id === "..";
  return {
    path: `/graph/v1/nodes/${encodeURIComponent(type)}/${isRemoved ? "_" : encodeURIComponent(id)}`,
    query: { external_id: isRemoved ? id : undefined },
  };
};

const requestOf = (look: Look): Request => {
  switch (look.kind) {
    case "nodes":
      return { path: "/graph/v1/nodes", query: { type: look.type, prefix: look.prefix } };
    case "node":
      return nodeRequest(look.type, look.id);
    case "neighbours": {
      const { path, query } = nodeRequest(look.type, look.id);
      const types = look.types.length === 0 ? undefined : look.types.join(",");
      return { path: `${path}/neighbours`, query: { ...query, types, direction: look.direction } };
    }
    case "schema":
      return { path: "/data-schema/v1", query: {} };
  }
};

/** The look as a command of a shell; the token is a variable, so that it can be shared. */
export const curlOfLook = (look: Look, { baseUrl, projectId }: LookOptions): string => {
  const { path, query } = requestOf(look);
  const parameters = Object.entries({ ...query, project_id: projectId }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return curl(`${baseUrl}${path}?${parameters.join("&")}`, [tokenHeader]);
};

const literal = (value: unknown): string => JSON.stringify(value);

const callOf = (look: Look): string => {
  switch (look.kind) {
    case "nodes": {
      const filters = literal({ type: look.type, prefix: look.prefix });
      return `for await (const node of admin.graph.nodes(${filters})) console.log(node);`;
    }
    case "node":
      return `const node = await admin.graph.node(${literal({ type: look.type, external_id: look.id })});`;
    case "neighbours": {
      const node = literal({ type: look.type, external_id: look.id });
      const types = look.types.length === 0 ? undefined : look.types;
      const filters = literal({ types, direction: look.direction });
      return [
        `for await (const { relationship, node } of admin.graph.neighbours(${node}, ${filters}))`,
        "  console.log(relationship, node);",
      ].join("\n");
    }
    case "schema":
      return "const { graph } = await admin.graph.schema();";
  }
};

/** The look as code of a program; the token comes from the environment. */
export const clientCodeOfLook = (look: Look, { baseUrl, projectId }: LookOptions): string =>
  [
    'import { IkgAdmin } from "@ikg/client";',
    "",
    "const admin = new IkgAdmin({",
    `  baseUrl: ${literal(baseUrl)},`,
    `  token: process.env.IKG_TOKEN ?? "",`,
    `  project: ${literal(projectId)},`,
    "});",
    callOf(look),
    "",
  ].join("\n");
