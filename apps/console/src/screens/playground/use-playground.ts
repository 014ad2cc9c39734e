import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { forgetRefusedKey } from "../../session/forget-refused-key.ts";
import { useApplicationKey } from "../../session/use-application-key.ts";
import { type Answer, askQuestion, type Credentials } from "./answer/ask.ts";
import { type Draft, draftOf, playgroundSearch } from "./question/playground-search.ts";
import { type Field, parseDraft, type Question } from "./question/question.ts";

interface Asking {
  readonly draft: Draft;
  readonly question: Question;
  readonly credentials: Credentials;
}

/** A question with its answer. */
export interface QuestionResult extends Omit<Asking, "credentials"> {
  readonly answer: Answer;
  /** Of the person; undefined where none was sent. */
  readonly token: string | undefined;
  /** Milliseconds since 1970, by the clock of the browser. */
  readonly at: number;
  /** Changes with each answer, so that what is shown of one is not kept for the next. */
  readonly number: number;
}

let answers = 0;

const ask = async ({ credentials, ...request }: Asking): Promise<QuestionResult> => {
  const at = Date.now();
  const answer = await askQuestion(request.question, credentials);
  return { ...request, answer, at, token: credentials.token, number: ++answers };
};

const noErrors: Readonly<Partial<Record<Field, string>>> = {};

/** What an address says of a question, as one text. */
const addressOf = (search: object): string => JSON.stringify(playgroundSearch({ ...search }));

const draftOfAddress = (address: string): Draft =>
  draftOf(playgroundSearch(JSON.parse(address) as Record<string, unknown>));

/** Asks with the application key and, where one is given, the token of a person. */
const useAsk = (projectId: string) => {
  const key = useApplicationKey(projectId);
  const [token, setToken] = useState("");
  /** The address whose question was asked last. */
  const lastAddress = useRef<string>(undefined);
  const asking = useMutation({
    mutationFn: ask,
    onError: (error) => forgetRefusedKey(projectId, error),
  });
  const send = (draft: Draft, question: Question): void => {
    if (key === undefined) return;
    lastAddress.current = addressOf(draft);
    const credentials = { key: key.key, token: token === "" ? undefined : token };
    asking.mutate({ draft, question, credentials });
  };
  return { asking, send, lastAddress, token, setToken, hasKey: key !== undefined };
};

/** The draft of a question, which follows the address, and its answer. A token is in neither. */
export const usePlayground = (projectId: string) => {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { asking, send, lastAddress, token, setToken, hasKey } = useAsk(projectId);
  const { reset } = asking;
  const address = addressOf(search);
  const [draft, setDraft] = useState(() => draftOfAddress(address));
  const [errors, setErrors] = useState(noErrors);

  // A link, back and forward lead from question to question.
  useEffect(() => {
    if (lastAddress.current === address) return;
    setDraft(draftOfAddress(address));
    setErrors(noErrors);
    reset();
  }, [address, reset]);

  const linked = parseDraft(draftOfAddress(address));
  /** The address holds a question that can be asked, and nothing else is being typed. */
  const isWaiting = "question" in linked && lastAddress.current !== address && addressOf(draft) === address;
  const shouldAsk = isWaiting && hasKey;
  useEffect(() => {
    if (!shouldAsk) return;
    // Later: React mounts a component twice while it is developed, and the first mutation would be lost.
    const timer = setTimeout(() => {
      const read = parseDraft(draft);
      if ("question" in read) send(draft, read.question);
    });
    return () => clearTimeout(timer);
    // Of the address and the key alone: what else changes was not asked.
  }, [shouldAsk, address]);

  const change = (next: Draft): void => {
    setDraft(next);
    setErrors(noErrors);
    if (next.mode !== draft.mode) reset();
  };

  const askFor = (next: Draft): void => {
    const read = parseDraft(next);
    setDraft(next);
    if ("errors" in read) {
      setErrors(read.errors);
      return;
    }
    setErrors(noErrors);
    send(next, read.question);
    const { project } = search;
    void navigate({
      to: "/playground",
      search: { ...playgroundSearch({ ...next }), ...(project !== undefined && { project }) },
    });
  };

  return { draft, change, token, setToken, errors, askFor, asking, isWaiting, hasKey };
};
