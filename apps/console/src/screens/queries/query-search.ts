import { addressText } from "../../text/address-text.ts";

/** The state of the page of a query, as links contain it; it has no credential. */
export interface QuerySearch {
  /** Absent: its text. */
  readonly tab?: QueryTab;
  /** JSON of the parameters that it was run with. */
  readonly params?: string;
}

const tabs = ["run", "preview", "versions"] as const;

export type QueryTab = (typeof tabs)[number];

export const isQueryTab = (value: unknown): value is QueryTab => tabs.some((each) => each === value);

export const querySearch = ({ tab, params }: Record<string, unknown>): QuerySearch => {
  // The router reads JSON of an address as what it says.
  const text = typeof params === "object" && params !== null ? JSON.stringify(params) : addressText(params);
  return {
    ...(isQueryTab(tab) && { tab }),
    ...(text !== undefined && text !== "" && { params: text }),
  };
};

/** What a new query begins with. */
export interface NewQuerySearch {
  /** Name of the policy that it runs under. */
  readonly policy?: string;
}

export const newQuerySearch = ({ policy }: Record<string, unknown>): NewQuerySearch => {
  const text = addressText(policy);
  return text === undefined || text === "" ? {} : { policy: text };
};
