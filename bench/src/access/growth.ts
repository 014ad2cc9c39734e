/** Whether a decision takes longer with more data in the graph, or with more data of one subject. */
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Work } from "../../../stack/src/measurement/turns.ts";
import type { Action } from "../drive/answers.ts";
import { type Degree, degrees, hubQuestions } from "../drive/hub.ts";
import type { Question } from "../drive/questions.ts";
import { atMost, countText, type Line, msText } from "../targets.ts";
import type { Size } from "../options.ts";
import type { Bench } from "./bench.ts";
import { targets, plan } from "./plan.ts";
import type { Project } from "../project.ts";

/** A drive of one size, and what is asked about it. */
export interface Grown {
  readonly size: Size;
  readonly project: Project;
  readonly questions: Readonly<Record<Action, readonly Question[]>>;
}

const rules: Readonly<Record<Action, string>> = { READ: "one rule", VIEW: "three rules" };

/** One caller, the service directly. @param sizes ascending */
export const measureGrowth = async (
  { clients }: Bench,
  sizes: readonly Grown[],
): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  for (const action of ["READ", "VIEW"] as const) {
    const works: Partial<Record<Size, Work>> = {};
    for (const { size, project, questions } of sizes) {
      const { evaluate } = await clients.access(project);
      const cycle = inTurn(questions[action]);
      works[size] = (ms) => run(evaluate, cycle, 1, ms);
    }
    const turns = await takeTurns(works as Record<Size, Work>, plan.growth, `growth, ${rules[action]}`); // of the sizes that there are
    for (const { size } of sizes.slice(1))
      lines.push({
        what: `growth, decision of ${rules[action]}, S to ${size}, p50`,
        figure: msText(turns.summary(size).p50),
        ...atMost(turns.ratio(size, "S", "p50"), targets.growth),
        baseline: `S: ${msText(turns.summary("S").p50)}`,
      });
  }
  return lines;
};

/** One caller, the service directly; the worst of the degrees counts. */
export const measureDegrees = async ({ clients }: Bench, hubs: Project): Promise<readonly Line[]> => {
  const { evaluate } = await clients.access(hubs);
  const lines: Line[] = [];
  for (const side of ["subject", "resource"] as const) {
    const work = (degree: Degree): [Degree, Work] => {
      const cycle = inTurn(hubQuestions(side, degree));
      return [degree, (ms) => run(evaluate, cycle, 1, ms)];
    };
    const works = Object.fromEntries(degrees.map(work)) as Record<`${Degree}`, Work>; // every degree
    const turns = await takeTurns(works, plan.hub, `degrees of the ${side}`);
    const [least, ...more] = degrees.map((degree): `${Degree}` => `${degree}`);
    if (least === undefined) throw new Error("no degree");
    const worst = more.reduce((a, b) =>
      turns.ratio(b, least, "p50") > turns.ratio(a, least, "p50") ? b : a,
    );
    const each = more.map((degree) => `${countText(Number(degree))}: ${msText(turns.summary(degree).p50)}`);
    lines.push({
      what: `growth with the degree of the ${side}, p50 of the worst: ${countText(Number(worst))}`,
      figure: msText(turns.summary(worst).p50),
      ...atMost(turns.ratio(worst, least, "p50"), targets.degree),
      baseline: `${least}: ${msText(turns.summary(least).p50)}; ${each.join("; ")}`,
    });
  }
  return lines;
};
