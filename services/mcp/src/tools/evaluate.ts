import { mcpCalls, type Token } from "@ikg/auth";
import { isJsonObject } from "@ikg/contracts";
import { z } from "zod";
import type { CallService } from "./downstream.ts";
import { errorResult, serviceErrorResult, successResult } from "./result.ts";
import { explainProperty, type Tool, withArguments } from "./tool.ts";

const object = z.record(z.string(), z.unknown());
const entity = z.looseObject({ type: z.string().optional(), id: z.string().optional() });

const Arguments = z.looseObject({
  subject_type: z.string().optional(),
  subject_id: z.string().optional(),
  resource_type: z.string().optional(),
  resource_id: z.string().optional(),
  action_name: z.string().optional(),
  subject: entity.optional(),
  resource: entity.optional(),
  action: z.looseObject({ name: z.string().optional() }).optional(),
  input_params: object.optional(),
  context: object.optional(),
  explain: z.boolean().optional(),
});

type Arguments = z.output<typeof Arguments>;

const text = (description: string) => ({ type: "string", description });

const properties = {
  subject_type: text("Type of who acts, such as Person. May be left out together with subject_id."),
  subject_id: text("Who acts. Left out: the user whose token is sent."),
  resource_type: text("Type of what is acted on, such as Document."),
  resource_id: text("What is acted on."),
  action_name: text("What is done, such as READ; upper and lower case count."),
  subject: {
    type: "object",
    description: "Instead of subject_type and subject_id.",
    properties: { type: { type: "string" }, id: { type: "string" } },
  },
  resource: {
    type: "object",
    description: "Instead of resource_type and resource_id.",
    properties: { type: { type: "string" }, id: { type: "string" } },
  },
  action: {
    type: "object",
    description: "Instead of action_name.",
    properties: { name: { type: "string" } },
  },
  input_params: {
    type: "object",
    description: "Values that policies ask for by name. An answer that names missing parameters says which.",
  },
  context: {
    type: "object",
    description: "Circumstances of the request: input_params, policy_tags, and what else policies read.",
  },
} as const;

/** One complete form of each entity: the flat one before the nested one, a subject of the token's where none is named. */
const entitiesOf = (args: Arguments, user: Token) => {
  const { subject = {}, resource = {}, action = {} } = args;
  const subjectId = args.subject_id ?? subject.id;
  const subjectType = args.subject_type ?? subject.type;
  const ofToken = subjectId === undefined && subjectType === undefined;
  return {
    subject: {
      ...subject,
      type: ofToken ? user.nodeType : subjectType,
      id: subjectId ?? user.subject,
    },
    resource: {
      ...resource,
      type: args.resource_type ?? resource.type,
      id: args.resource_id ?? resource.id,
    },
    action: { ...action, name: args.action_name ?? action.name },
  };
};

const contextOf = ({ context, input_params: params }: Arguments): object => {
  if (params === undefined) return context === undefined ? {} : { context };
  const given = context?.["input_params"];
  return { context: { ...context, input_params: { ...(isJsonObject(given) ? given : {}), ...params } } };
};

/** Asks the access service whether the subject may perform the action on the resource. */
export const evaluateTool = (callService: CallService): Tool => ({
  name: "authzen_evaluate",
  describe: (explain) => ({
    name: "authzen_evaluate",
    title: "Authorization decision",
    description:
      "Asks whether a subject may do an action on a resource, by the policies of this project. Give resource_type, " +
      "resource_id and action_name; subject_type and subject_id only for another subject than the user whose token is " +
      'sent. Answers {"decision": true} or {"decision": false}; false is an answer, not an error.',
    inputSchema: { type: "object", properties: { ...properties, ...(explain ? explainProperty : {}) } },
    outputSchema: {
      type: "object",
      properties: {
        decision: { type: "boolean", description: "true: it is allowed." },
        context: { type: "object", description: "Further information about the decision." },
      },
      required: ["decision"],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  }),
  call: (mcpRequest, args, signal) =>
    withArguments(Arguments, args, async (given) => {
      const { subject, resource, action } = entitiesOf(given, mcpRequest.user);
      const missing = [
        ...(subject.type === undefined ? ["subject_type"] : []),
        ...(resource.type === undefined ? ["resource_type"] : []),
        ...(resource.id === undefined ? ["resource_id"] : []),
        ...(action.name === undefined ? ["action_name"] : []),
      ];
      if (missing.length > 0)
        return errorResult({
          status: 400,
          message: "arguments missing",
          errors: missing.map((name) => `${name}: required`),
        });
      const answer = await callService(mcpRequest, {
        target: mcpCalls.evaluate,
        body: { subject, resource, action, ...contextOf(given) },
        explain: given.explain === true,
        signal,
      });
      return answer.status === 200 && isJsonObject(answer.body)
        ? successResult(answer.body)
        : serviceErrorResult(answer);
    }),
});
