import type { Inputs, Question } from "../question/question.ts";

interface CodeOptions {
  readonly baseUrl: string;
  readonly hasToken: boolean;
}

const literal = (value: unknown): string => JSON.stringify(value);

const optionsOf = ({ params, tags }: Inputs): string => {
  const options = { ...(params !== undefined && { params }), ...(tags !== undefined && { tags }) };
  return Object.keys(options).length === 0 ? "" : `, ${literal(options)}`;
};

/** @param token a member with the person's token; empty where there is none. */
const callOf = (question: Question, token: string): string => {
  const inputs = optionsOf(question);
  const as = (subject: object): string =>
    token === "" ? `ikg.as(${literal(subject)})` : `ikg.as({ ...${literal(subject)}, ${token} })`;
  const list = (call: string, name: string): string =>
    `for await (const { ${name} } of ${call}) console.log(${name});`;
  switch (question.mode) {
    case "decision": {
      const { subject, action, resource } = question;
      return `const allowed = await ${as(subject)}.can(${literal(action)}, ${literal(resource)}${inputs});`;
    }
    case "batch": {
      // Calls of one turn go out as one request.
      const calls = question.lines.map(({ subject, action, resource, params }) => {
        const all = { ...question.params, ...params };
        const own = optionsOf({ ...question, ...(Object.keys(all).length > 0 && { params: all }) });
        return `  ${as(subject)}.can(${literal(action)}, ${literal(resource)}${own}),`;
      });
      return ["const allowed = await Promise.all([", ...calls, "]);"].join("\n");
    }
    case "resources":
      return list(
        `${as(question.subject)}.resources(${literal(question.action)}, ${literal(question.type)}${inputs})`,
        "id",
      );
    case "subjects":
      return list(
        `ikg.subjects(${literal(question.type)}, ${literal(question.action)}, ${literal(question.resource)}${inputs})`,
        "id",
      );
    case "actions":
      return list(`${as(question.subject)}.actions(${literal(question.resource)}${inputs})`, "name");
  }
};

/** The question as code of an application; its credentials come from the environment. */
export const clientCodeOf = (question: Question, { baseUrl, hasToken }: CodeOptions): string =>
  [
    'import { Ikg } from "@ikg/client";',
    "",
    `const ikg = new Ikg({ baseUrl: ${literal(baseUrl)}, clientKey: process.env.IKG_KEY ?? "" });`,
    callOf(question, hasToken ? "token: process.env.IKG_TOKEN" : ""),
    "",
  ].join("\n");
