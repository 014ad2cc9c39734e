import { type CallHeaders, callHeaders } from "../call-headers.ts";
import type { Decision } from "../contract/wire.ts";
import type { CallOptions } from "../transport/options.ts";
import type { HttpResponse, Transport } from "../transport/transport.ts";
import { decisionOf } from "./decision-of.ts";

const post = (
  transport: Transport,
  path: string,
  body: string,
  common: CallHeaders,
  { signal, timeoutMs }: CallOptions,
): Promise<HttpResponse<unknown>> =>
  transport.send({
    method: "POST",
    path,
    headers: callHeaders(common),
    body,
    idempotent: true,
    signal,
    timeoutMs,
  });

/** Asks one question, as JSON text. */
export const askOne = async (
  transport: Transport,
  question: string,
  common: CallHeaders,
  options: CallOptions,
): Promise<Decision> =>
  decisionOf((await post(transport, "/access/v1/evaluation", question, common, options)).body);

/** Asks several questions at once. */
export const askMany = (
  transport: Transport,
  questions: readonly string[],
  common: CallHeaders,
  options: CallOptions,
): Promise<HttpResponse<unknown>> =>
  post(transport, "/access/v1/evaluations", `{"evaluations":[${questions.join(",")}]}`, common, options);
