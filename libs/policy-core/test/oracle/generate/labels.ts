import type { LabelSpec } from "../model.ts";
import { edgeTypes } from "./graphs.ts";
import type { Studio } from "./scope.ts";

const is = (name: string): LabelSpec => ({ kind: "is", name });

/** A label expression that is mostly true of nodes with the label `fitting`. */
export const labelSpec = ({ draw, labels }: Studio, fitting = draw.pick(labels)): LabelSpec =>
  draw.among<LabelSpec>([
    [8, () => is(fitting)],
    [2, () => ({ kind: "either", parts: [is(fitting), is(draw.pick(labels))] })],
    [1, () => ({ kind: "no", part: is(draw.pick(labels)) })],
    [1, () => ({ kind: "both", parts: [is(fitting), { kind: "no", part: is(draw.pick(labels)) }] })],
    [1, () => ({ kind: "any-label" })],
    [1, () => ({ kind: "either", parts: [{ kind: "no", part: is(draw.pick(labels)) }, is(fitting)] })],
    [1, () => ({ kind: "both", parts: [is(fitting), { kind: "any-label" }] })],
    [1, () => is(draw.pick(labels))],
    [1, () => is("Nothing")],
  ]);

/** A type expression; one of names alone where the length varies. */
export const typeSpec = ({ draw }: Studio, fitting: string, namesOnly: boolean): LabelSpec | undefined =>
  draw.among<LabelSpec | undefined>([
    [8, () => is(fitting)],
    [2, () => ({ kind: "either", parts: [is(fitting), is(draw.pick(edgeTypes))] })],
    [3, () => undefined],
    [1, () => is(draw.pick(edgeTypes))],
    [1, () => (namesOnly ? is(fitting) : { kind: "no", part: is(draw.pick(edgeTypes)) })],
  ]);
