import { contextOf, type Question } from "../question/question.ts";

/** A question as HTTP sends it. */
export interface HttpQuestion {
  readonly path: string;
  readonly body: object;
}

/** The request of a question: AuthZEN 1.0, sections 6 to 8. */
export const requestOf = (question: Question): HttpQuestion => {
  const context = contextOf(question);
  switch (question.mode) {
    case "decision": {
      const { subject, action, resource } = question;
      return {
        path: "/access/v1/evaluation",
        body: { subject, action: { name: action }, resource, ...context },
      };
    }
    case "batch": {
      const evaluations = question.lines.map(({ subject, action, resource, params }) => ({
        subject,
        action: { name: action },
        resource,
        ...contextOf({
          ...(question.tags !== undefined && { tags: question.tags }),
          ...((params ?? question.params) !== undefined && { params: { ...question.params, ...params } }),
        }),
      }));
      return { path: "/access/v1/evaluations", body: { evaluations } };
    }
    case "resources": {
      const { subject, action, type } = question;
      const body = { subject, action: { name: action }, resource: { type }, ...context };
      return { path: "/access/v1/search/resource", body };
    }
    case "subjects": {
      const { type, action, resource } = question;
      const body = { subject: { type }, action: { name: action }, resource, ...context };
      return { path: "/access/v1/search/subject", body };
    }
    case "actions": {
      const { subject, resource } = question;
      return { path: "/access/v1/search/action", body: { subject, resource, ...context } };
    }
  }
};
