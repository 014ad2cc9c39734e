import type { PolicyRecord } from "./draft.ts";
import { formOfText } from "./policy-form.ts";

const section = (title: string, text: string): readonly string[] => (text === "" ? [] : ["", title, text]);

const bodyOf = (text: string): readonly string[] => {
  const form = formOfText(text);
  if (form === undefined) return ["", text];
  const isDecision = form.kind === "decisions";
  return [
    `language: ${form.version}`,
    `subject: ${form.subject}`,
    ...(isDecision ? [`actions: ${form.actions.join(", ")}`, `resource: ${form.resource}`] : []),
    ...section("condition:", form.cypher),
    ...section("filter:", form.filter),
    ...section("token filter:", form.tokenFilter),
    ...section("allowed:", form.allowed),
  ];
};

/** A policy in lines, as people compare it: all that can be edited, and its Cypher as it was written. */
export const readableText = (record: PolicyRecord): string => {
  const { name, display_name: displayName, description = "", status, tags, policy } = record;
  return [
    `status: ${status}`,
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(", ")}`]),
    ...(displayName === name || displayName === "" ? [] : [`display name: ${displayName}`]),
    ...(description === "" ? [] : [`description: ${description}`]),
    ...bodyOf(policy),
    "",
  ].join("\n");
};
