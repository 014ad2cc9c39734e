import { type Decision, type EntityRef, Ikg, IkgError, type SearchPage } from "@ikg/client";
import { nextPage } from "../../../queries/next-page.ts";
import { baseUrl } from "../../../session/base-url.ts";
import type { Line } from "../question/decision-line.ts";
import type { Inputs, Question, QuestionOf } from "../question/question.ts";

/** One question of a batch with what became of it. */
export interface BatchRow {
  readonly line: Line;
  readonly result: { readonly decision: Decision } | { readonly error: unknown };
}

/** Pages of a search: as they are wanted. */
export type FoundPages = AsyncGenerator<SearchPage<EntityRef>, void, undefined>;

export interface FoundSoFar {
  readonly items: readonly EntityRef[];
  /** False: the time of a page was up before it was full. */
  readonly isComplete: boolean;
  /** Undefined: that was all. */
  readonly next: FoundPages | undefined;
}

type ActionPage = SearchPage<{ readonly name: string }>;

export type Answer =
  | {
      readonly kind: "decision";
      readonly question: QuestionOf<"decision">;
      readonly decision: Decision;
      /** True: the key may not read explanations. */
      readonly isUnexplained: boolean;
    }
  | { readonly kind: "batch"; readonly question: QuestionOf<"batch">; readonly rows: readonly BatchRow[] }
  | {
      readonly kind: "found";
      readonly question: QuestionOf<"resources" | "subjects">;
      readonly found: FoundSoFar;
    }
  | {
      readonly kind: "actions";
      readonly question: QuestionOf<"actions">;
      readonly pages: readonly ActionPage[];
    };

export interface Credentials {
  readonly key: string;
  /** Of the person; undefined where none is given. */
  readonly token: string | undefined;
}

const inputsOf = ({ params, tags }: Inputs): Inputs => ({
  ...(params !== undefined && { params }),
  ...(tags !== undefined && { tags }),
});

/** Decides with an explanation, or without where the key may not read one. */
const decide = async (
  ikg: Ikg,
  question: QuestionOf<"decision">,
  token: string | undefined,
): Promise<Answer> => {
  const { subject, action, resource } = question;
  const ask = (explain: boolean) =>
    ikg.as({ ...subject, token }).decide(action, resource, { ...inputsOf(question), explain });
  try {
    return { kind: "decision", question, decision: await ask(true), isUnexplained: false };
  } catch (error) {
    if (!(error instanceof IkgError) || error.code !== "permission_missing") throw error;
    return { kind: "decision", question, decision: await ask(false), isUnexplained: true };
  }
};

/** Calls of one turn go out as requests of many; each question has its own result. */
const decideAll = async (
  ikg: Ikg,
  question: QuestionOf<"batch">,
  token: string | undefined,
): Promise<Answer> => {
  const rows = await Promise.all(
    question.lines.map(async (line): Promise<BatchRow> => {
      const params = { ...question.params, ...line.params };
      const inputs = { ...inputsOf(question), ...(Object.keys(params).length > 0 && { params }) };
      try {
        const decision = await ikg.as({ ...line.subject, token }).decide(line.action, line.resource, inputs);
        return { line, result: { decision } };
      } catch (error) {
        return { line, result: { error } };
      }
    }),
  );
  const errors = rows.flatMap(({ result }) => ("error" in result ? [result.error] : []));
  // All for one reason, as a key that is not accepted: that is the answer.
  if (
    errors.length === rows.length &&
    errors.every((error) => error instanceof IkgError && error.status === 401)
  )
    throw errors[0];
  return { kind: "batch", question, rows };
};

const pageSize = 100;

/** Reads the next page of a search. */
export const readMore = async (pages: FoundPages, before: readonly EntityRef[]): Promise<FoundSoFar> => {
  const page = await nextPage(pages);
  if (page === undefined) return { items: before, isComplete: true, next: undefined };
  // A page that is not full though it had the time is the last one.
  const isLast = page.complete && page.items.length < pageSize;
  return { items: [...before, ...page.items], isComplete: page.complete, next: isLast ? undefined : pages };
};

/** Asks a question. @throws IkgError, IkgUnreachable */
export const askQuestion = async (question: Question, { key, token }: Credentials): Promise<Answer> => {
  const ikg = new Ikg({ baseUrl: baseUrl(), clientKey: key, timeoutMs: 30_000 });
  switch (question.mode) {
    case "decision":
      return decide(ikg, question, token);
    case "batch":
      return decideAll(ikg, question, token);
    case "resources": {
      const { subject, action, type } = question;
      const pages = ikg
        .as({ ...subject, token })
        .resources(action, type, { ...inputsOf(question), pageSize });
      return { kind: "found", question, found: await readMore(pages.pages(), []) };
    }
    case "subjects": {
      const { type, action, resource } = question;
      const pages = ikg.subjects(type, action, resource, { ...inputsOf(question), pageSize });
      return { kind: "found", question, found: await readMore(pages.pages(), []) };
    }
    case "actions": {
      const { subject, resource } = question;
      const pages: ActionPage[] = [];
      const found = ikg.as({ ...subject, token }).actions(resource, inputsOf(question));
      for await (const page of found.pages()) pages.push(page);
      return { kind: "actions", question, pages };
    }
  }
};
