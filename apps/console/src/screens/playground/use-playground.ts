import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { forgetRefusedKey } from "../../session/forget-refused-key.ts";
import { useApplicationKey } from "../../session/use-application-key.ts";
import { type Answer, askQuestion, type Credentials } from "./answer/ask.ts";
import { type Draft, draftOf, playgroundSearch } from "./question/playground-search.ts";
import { type Field, type Question, readDraft } from "./question/question.ts";

interface Asked {
  readonly question: Question;
  readonly answer: Answer;
  readonly hasToken: boolean;
  /** Changes with each answer, so that what is shown of one is not kept for the next. */
  readonly number: number;
}

let answers = 0;

const ask = async ({
  question,
  credentials,
}: {
  question: Question;
  credentials: Credentials;
}): Promise<Asked> => {
  const answer = await askQuestion(question, credentials);
  return { question, answer, hasToken: credentials.token !== undefined, number: ++answers };
};

const noWrong: Readonly<Partial<Record<Field, string>>> = {};

/** The draft of a question, which follows the address, and its answer. A token is in neither. */
export const usePlayground = (projectId: string) => {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const key = useApplicationKey(projectId);
  const address = JSON.stringify(playgroundSearch(search));
  const [draft, setDraft] = useState(() => draftOf(playgroundSearch(search)));
  const [token, setToken] = useState("");
  const [wrong, setWrong] = useState(noWrong);
  const asking = useMutation({
    mutationFn: ask,
    onError: (error) => forgetRefusedKey(projectId, error),
  });

  // Back and forward go from question to question.
  useEffect(
    () => setDraft(draftOf(playgroundSearch(JSON.parse(address) as Record<string, unknown>))),
    [address],
  );

  const change = (next: Draft): void => {
    setDraft(next);
    setWrong(noWrong);
    if (next.mode !== draft.mode) asking.reset();
  };

  const askFor = (asked: Draft): void => {
    const read = readDraft(asked);
    setDraft(asked);
    if ("wrong" in read) {
      setWrong(read.wrong);
      return;
    }
    setWrong(noWrong);
    const { project } = search;
    void navigate({
      to: "/playground",
      search: { ...playgroundSearch({ ...asked }), ...(project !== undefined && { project }) },
    });
    if (key === undefined) return;
    asking.mutate({
      question: read.question,
      credentials: { key: key.key, token: token === "" ? undefined : token },
    });
  };

  return { draft, change, token, setToken, wrong, askFor, asking, hasKey: key !== undefined };
};
