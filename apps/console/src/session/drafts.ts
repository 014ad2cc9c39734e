import { ObservableMap } from "./observable-map.ts";

/** Unsaved input. It lives in the memory of the tab, so that visiting another screen loses nothing. */
export class Drafts<Draft> extends ObservableMap<Draft> {
  readonly #isChanged: (draft: Draft) => boolean;

  /** @param isChanged whether something would be lost with the draft: it may say the same as what is stored. */
  constructor(isChanged: (draft: Draft) => boolean) {
    super();
    this.#isChanged = isChanged;
  }

  /** How many are changed. */
  get changed(): number {
    return this.values().filter(this.#isChanged).length;
  }
}

const kept: Drafts<never>[] = [];

/** The browser asks before a tab is left that has some. */
const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Drafts of one kind, which end with the session. */
export const keptDrafts = <Draft>(isChanged: (draft: Draft) => boolean): Drafts<Draft> => {
  const drafts = new Drafts(isChanged);
  kept.push(drafts as unknown as Drafts<never>); // only their number, and their end
  drafts.subscribe(() => {
    if (kept.some(({ changed }) => changed > 0)) addEventListener("beforeunload", warnBeforeUnload);
    else removeEventListener("beforeunload", warnBeforeUnload);
  });
  return drafts;
};

export const discardDrafts = (): void => {
  for (const drafts of kept) drafts.clear();
};
