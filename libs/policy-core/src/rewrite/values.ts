import type { Expression } from "../cypher/ast.ts";
import type { Form } from "../values/form.ts";
import { formKey, referenceKey, type Reference } from "../values/reference.ts";
import { nothing, parameter, property, variable } from "./build.ts";

/**
 * Where a statement finds the values of one request: a row of `UNWIND $rows AS __row`, or the parameter
 * `$__row` of a statement that runs for one request alone. Both hold the same map, `BoundValues`.
 */
export type ValueForm = "row" | "plain";

export const rowName = "__row";

export const rowOf = (form: ValueForm): Expression =>
  form === "row" ? variable(rowName) : parameter(rowName);

/** A reference as it stands in a statement: one flat key, so that a claim that is no object reads as null. */
export const physicalReference = (reference: Reference, form: ValueForm): Expression => {
  const row = rowOf(form);
  const key = referenceKey(reference);
  switch (reference.kind) {
    case "parameter":
      return property(row, "p", key);
    case "token":
      return property(row, "t", key);
    case "request":
      return property(row, "q", key);
    case "platform":
      return property(row, "f", key);
    case "application":
      return property(row, "a");
    case "absent":
      return nothing;
  }
};

const mapNames = {
  parameter: "p",
  token: "t",
  request: "q",
  platform: "f",
  application: "f",
  absent: "f",
} as const;

/** The value of a reference in a form, as `bindValues` puts it beside the value itself. */
export const physicalForm = (reference: Reference, kind: Form, form: ValueForm): Expression =>
  property(rowOf(form), mapNames[reference.kind], formKey(reference, kind));
