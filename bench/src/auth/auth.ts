/** npm run bench auth: what it costs to know who calls, beside the same without it. */
import type { Driver } from "neo4j-driver";
import { openDriver } from "../raw-driver.ts";
import { machineOf } from "../machine.ts";
import { allMet, targetsTable } from "../targets.ts";
import { removeProject } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { writeSection } from "../write-section.ts";
import { type Issuer, makeIssuer } from "./issuer.ts";
import { measureList } from "./list.ts";
import { listPlan, plan } from "./plan.ts";
import { type Figures, linesOf, section } from "./report.ts";
import { makeCallersProject, makeListProject } from "./set-up.ts";
import { measureThroughput, type Question } from "./throughput.ts";
import { measureVerification } from "./verification.ts";
import { withAsks } from "./ways.ts";

const questionsOf = async (issuer: Issuer): Promise<readonly Question[]> => {
  const bearers = await Promise.all(Array.from({ length: plan.bearers }, () => issuer.sign()));
  return bearers.map((bearer) => ({ bearer, expected: false }));
};

const measureAll = async (
  target: Target,
  driver: Driver,
  created: (id: string) => void,
): Promise<Figures> => {
  const issuer = await makeIssuer();
  const verification = await measureVerification(issuer);
  const project = await makeCallersProject(target, issuer, created);
  const questions = await questionsOf(issuer);
  const bearer = questions[0]?.bearer ?? "";
  const throughput = await withAsks(target, { ...project, bearer }, (asks) =>
    measureThroughput(asks, questions),
  );
  say(`${listPlan.policies} policies are made`);
  const listed = await makeListProject(target, created);
  const list = await measureList(target, driver, listed);
  return { throughput, verification, list };
};

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const auth = async (target: Target): Promise<boolean> => {
  const driver = openDriver(target, 1);
  const projects: string[] = [];
  try {
    const machine = await machineOf(driver);
    const figures = await measureAll(target, driver, (id) => void projects.push(id));
    const lines = linesOf(figures);
    writeSection("Authentication", section(lines, figures, machine));
    for (const line of ["", ...targetsTable(lines)]) say(line);
    return allMet(lines);
  } finally {
    for (const id of projects) await removeProject(target, id);
    await driver.close();
  }
};
