/** npm run bench mcp: a decision asked by a model's tool, beside the same asked directly; and open sessions. */
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Turns, type Work } from "../../../stack/src/measurement/turns.ts";
import { type Issuer, makeIssuer } from "../auth/issuer.ts";
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { allMet, targetsTable } from "../targets.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { type Endpoint, openAsks, openEndpoint, type Question, questions } from "./asks.ts";
import { plan, type Way, ways } from "./plan.ts";
import { type Figures, linesOf, section } from "./report.ts";
import { measureSessions } from "./sessions.ts";
import { makeMcpProject } from "./set-up.ts";

const measureAsks = (
  asks: Readonly<Record<Way, Ask<Question>>>,
  callers: number,
  title: string,
): Promise<Turns<Way>> => {
  const list = inTurn(questions);
  const work = (way: Way): [Way, Work] => [way, (ms) => run(asks[way], list, callers, ms)];
  return takeTurns(Object.fromEntries(ways.map(work)) as Record<Way, Work>, plan, title); // every way
};

const measureAll = async (
  target: Target,
  endpoint: Endpoint,
  issuer: Issuer,
  created: (id: string) => void,
): Promise<Figures> => {
  // The first token of the issuer: its subject is the person of the graph.
  const bearer = await issuer.sign();
  const project = await makeMcpProject(target, issuer, created);
  const asks = await openAsks(endpoint, project, bearer);
  const one = await measureAsks(asks, 1, "one caller");
  const many = await measureAsks(asks, plan.many, `${plan.many} callers`);
  const sessions = await measureSessions(target, endpoint, project, issuer);
  return { one, many, sessions };
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const mcp = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, 1);
  const endpoint = openEndpoint(target);
  const projects: string[] = [];
  try {
    const machine = await machineOf(driver);
    const issuer = await makeIssuer();
    const figures = await measureAll(target, endpoint, issuer, (id) => void projects.push(id));
    const lines = linesOf(figures);
    writeSection("MCP", section(lines, machine));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    for (const id of projects) await removeProject(target, id);
    await endpoint.close();
    await driver.close();
  }
};
