import { addressText } from "../../../text/address-text.ts";

/** What the playground can ask. */
export const modes = ["decision", "batch", "resources", "subjects", "actions"] as const;

export type Mode = (typeof modes)[number];

/** A question as its form has it; the address has the same members, and never a credential. */
export interface Draft {
  readonly mode: Mode;
  readonly subject_type: string;
  readonly subject: string;
  readonly action: string;
  readonly resource_type: string;
  readonly resource: string;
  /** JSON, or empty. */
  readonly params: string;
  /** Separated by commas. */
  readonly tags: string;
  /** Questions of a batch, one a line. */
  readonly lines: string;
}

export const emptyDraft: Draft = {
  mode: "decision",
  subject_type: "",
  subject: "",
  action: "",
  resource_type: "",
  resource: "",
  params: "",
  tags: "",
  lines: "",
};

export type PlaygroundSearch = Partial<Draft>;

const isMode = (value: unknown): value is Mode => modes.some((each) => each === value);

const fields = Object.keys(emptyDraft).filter((name) => name !== "mode") as Exclude<keyof Draft, "mode">[]; // its own

/** Takes what it knows of an address. */
export const playgroundSearch = (search: Record<string, unknown>): PlaygroundSearch => {
  const known: Record<string, string> = {};
  for (const name of fields) {
    const text = addressText(search[name]);
    if (text !== undefined && text !== "") known[name] = text;
  }
  const mode = search["mode"];
  return { ...known, ...(isMode(mode) && mode !== "decision" && { mode }) };
};

export const draftOf = (search: PlaygroundSearch): Draft => ({ ...emptyDraft, ...search });
