import type { CallHeaders } from "../call-headers.ts";
import type { Decision } from "../contract/wire.ts";
import { IkgError } from "../errors/ikg-error.ts";
import type { CallOptions } from "../transport/options.ts";
import type { Transport } from "../transport/transport.ts";
import { askMany, askOne } from "./ask.ts";
import { entriesOf, entryError } from "./decision-of.ts";
import { JoinedQuestion } from "./joined-question.ts";

/** Questions of one request at most. */
const largestBatch = 100;

/** Characters of one request at most: in UTF-8 they are fewer bytes than a body may have. */
const largestBody = 500_000;

/** Statuses by which a batch is refused for what it holds, perhaps one question of it. */
const statusesOfContent: ReadonlySet<number> = new Set([400, 413, 422]);

interface Batch {
  /** Headers that all of its questions have in common. */
  readonly common: CallHeaders;
  readonly questions: JoinedQuestion[];
  /** Aborted when no question of it waits any more. */
  readonly abandoned: AbortController;
  waiting: number;
  characters: number;
}

interface Host {
  readonly setImmediate?: (callback: () => void) => unknown;
}

/**
 * Runs a callback when everything of this turn of the event loop has run, promises included. Browsers have no
 * `setImmediate`.
 */
const afterThisTurn = (callback: () => void): void => {
  const { setImmediate } = globalThis as Host;
  if (setImmediate === undefined) setTimeout(callback, 0);
  else setImmediate(callback);
};

/**
 * Joins decisions of the same turn of the event loop into one request. Questions are joined only if they are asked with the
 * same credentials, the same consistency token and the same wish for explanations. Each caller gets the decision, or
 * the error, of its own question.
 */
export class DecisionJoiner {
  readonly #transport: Transport;
  readonly #open = new Map<string, Batch>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @param question as JSON. */
  decide(question: string, common: CallHeaders, options: CallOptions): Promise<Decision> {
    const key = JSON.stringify([common.bearer, common.consistencyToken, common.explain]);
    const batch = this.#batchFor(key, common, question.length);
    const joined = new JoinedQuestion(question, options, this.#transport.connection.timeoutMs, () => {
      batch.waiting--;
      if (batch.waiting === 0) batch.abandoned.abort();
    });
    batch.waiting++;
    batch.characters += question.length;
    batch.questions.push(joined);
    if (batch.questions.length === largestBatch) this.#send(key, batch);
    return joined.answer;
  }

  #batchFor(key: string, common: CallHeaders, characters: number): Batch {
    const open = this.#open.get(key);
    if (open !== undefined && open.characters + characters <= largestBody) return open;
    if (open !== undefined) this.#send(key, open);
    const batch: Batch = {
      common,
      questions: [],
      abandoned: new AbortController(),
      waiting: 0,
      characters: 0,
    };
    this.#open.set(key, batch);
    afterThisTurn(() => this.#send(key, batch));
    return batch;
  }

  /** Sends a batch that is still open. */
  #send(key: string, batch: Batch): void {
    if (this.#open.get(key) !== batch) return;
    this.#open.delete(key);
    const questions = batch.questions.filter(({ isWaiting }) => isWaiting);
    const [first, ...rest] = questions;
    if (first === undefined) return;
    if (rest.length === 0) void this.#askAlone(first, batch.common);
    else void this.#askTogether(batch, questions);
  }

  async #askAlone(question: JoinedQuestion, common: CallHeaders): Promise<void> {
    try {
      question.resolve(await askOne(this.#transport, question.text, common, question.options));
    } catch (error) {
      question.reject(error);
    }
  }

  async #askTogether({ common, abandoned }: Batch, questions: readonly JoinedQuestion[]): Promise<void> {
    try {
      const texts = questions.map(({ text }) => text);
      const timeoutMs = Math.max(...questions.map(({ remainingMs }) => remainingMs));
      const options = { signal: abandoned.signal, timeoutMs };
      const { headers, body } = await askMany(this.#transport, texts, common, options);
      const requestId = headers.get("x-request-id") ?? undefined;
      const entries = entriesOf(body, questions.length);
      entries.forEach((entry, at) => {
        const question = questions[at];
        const error = entryError(entry, requestId);
        if (question === undefined) return;
        if (error === "again") void this.#askAlone(question, common);
        else if (error === undefined) question.resolve(entry);
        else question.reject(error);
      });
    } catch (error) {
      const isOfContent = error instanceof IkgError && statusesOfContent.has(error.status);
      for (const question of questions)
        if (isOfContent) void this.#askAlone(question, common);
        else question.reject(error);
    }
  }
}
