import { addressText } from "../../text/address-text.ts";

/** What the list of nodes is about. */
export interface NodesSearch {
  readonly type?: string;
  /** Ids begin with it. */
  readonly prefix?: string;
}

/** A node and the filters of its neighbours, as links contain them; they have no credential. */
export interface NodeSearch {
  readonly type?: string;
  readonly id?: string;
  readonly direction?: "in" | "out";
  /** Relationship types, with commas between them. */
  readonly types?: string;
  readonly view?: "table";
}

const textsOf = <Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> => {
  const known: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = addressText(search[name]);
    if (text !== undefined && text !== "") known[name] = text;
  }
  return known;
};

export const nodesSearch = (search: Record<string, unknown>): NodesSearch =>
  textsOf(search, ["type", "prefix"]);

export const nodeSearch = (search: Record<string, unknown>): NodeSearch => {
  const { direction, view } = search;
  return {
    ...textsOf(search, ["type", "id", "types"]),
    ...((direction === "in" || direction === "out") && { direction }),
    ...(view === "table" && { view }),
  };
};
