/** Prometheus and Grafana beside the suite, as the profile `observability` starts them. */
import { globSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { say, step } from "../../launch/progress.mjs";
import { services } from "../services/service-names.ts";
import { inRepository, repository } from "../repository.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { add, none } from "../testing/runner/counts.ts";
import { loadWhile, makeLoadProject, removeLoadProject } from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { waitUntil } from "../testing/wait-until.ts";
import type { ComposeProject } from "./compose.ts";
import { compose, docker } from "./compose.ts";
import { canHave } from "./engine.ts";
import type { ContainerSession } from "./session.ts";

const profile = ["--profile", "observability"] as const;
const standIn = "ikg-test/prometheus";

/** Prometheus asks every 15 s. */
const seenWithinMs = 60_000;

const imageOf = async (project: ComposeProject, service: string): Promise<string> =>
  (await compose(project, ...profile, "config", "--images", service)).find((line) =>
    line.includes(service),
  ) ?? "";

/** The project with an image of Prometheus that this machine can have. */
const withPrometheus = async (project: ComposeProject): Promise<ComposeProject> => {
  const image = await imageOf(project, "prometheus");
  if (await canHave(image, project.signal)) return project;
  await step(`${image} cannot be pulled: Prometheus from Debian's package`, () =>
    docker(["build", "--tag", standIn, inRepository("stack", "image", "prometheus")]),
  );
  return { ...project, env: { ...project.env, PROMETHEUS_IMAGE: standIn } };
};

interface Target {
  readonly health: string;
  readonly labels: { readonly service: string };
}
interface Rule {
  readonly name: string;
  readonly health: string;
}

/** Its own shapes: https://prometheus.io/docs/prometheus/latest/querying/api/ */
const openPrometheus = ({ env }: ComposeProject) => {
  const base = `http://127.0.0.1:${env["PROMETHEUS_PORT"]}/api/v1`;
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${base}/${path}`, { signal: AbortSignal.timeout(10_000) });
    return ((await answer.json()) as { data?: unknown }).data;
  };
  return {
    targets: async () => ((await ask("targets")) as { activeTargets: readonly Target[] }).activeTargets,
    rules: async () =>
      ((await ask("rules")) as { groups: readonly { rules: readonly Rule[] }[] }).groups.flatMap(
        ({ rules }) => rules,
      ),
    /** How many series an expression has; undefined when it is refused. */
    count: async (expression: string) =>
      (
        (await ask(`query?${new URLSearchParams({ query: expression }).toString()}`)) as
          | { result: readonly unknown[] }
          | undefined
      )?.result.length,
  };
};

type Prometheus = ReturnType<typeof openPrometheus>;

const healthy = async (prometheus: Prometheus): Promise<string[]> =>
  (await prometheus.targets())
    .filter(({ health }) => health === "up")
    .map(({ labels }) => labels.service)
    .toSorted();

const checkTargets = async (prometheus: Prometheus): Promise<Counts> => {
  const all = async () => String(await healthy(prometheus)) === String(services.toSorted());
  return verdict(
    await waitUntil(all, seenWithinMs),
    `Prometheus reads the metrics of ${(await healthy(prometheus)).join(", ") || "no service"}`,
  );
};

/** Rules that it has not evaluated yet are `unknown`. */
const checkRules = async (prometheus: Prometheus): Promise<Counts> => {
  const file = readFileSync(inRepository("monitoring", "prometheus", "alerts.yml"), "utf8");
  // Ours, with this shape: documentation/monitoring.test.ts.
  const { groups } = parse(file) as { groups: readonly { rules: readonly { alert: string }[] }[] };
  const ours = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted();
  const good = async () =>
    (await prometheus.rules())
      .filter(({ health }) => health === "ok")
      .map(({ name }) => name)
      .toSorted();
  const all = await waitUntil(async () => String(await good()) === String(ours), seenWithinMs);
  return verdict(all, `Prometheus has evaluated ${(await good()).length} of ${ours.length} alert rules`);
};

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboards = (): readonly Dashboard[] =>
  globSync("monitoring/grafana/*.json", { cwd: repository }).map(
    // Ours, with this shape: documentation/monitoring.test.ts.
    (file) => JSON.parse(readFileSync(inRepository(file), "utf8")) as Dashboard,
  );

/** What the dashboards ask for; Grafana would say for how long itself. */
const expressions = (): string[] =>
  dashboards().flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m"))),
  );

const checkExpressions = async (prometheus: Prometheus): Promise<Counts> => {
  const decided = await waitUntil(
    async () => ((await prometheus.count("sum(rate(ikg_decisions_total[1m])) > 0")) ?? 0) > 0,
    seenWithinMs,
  );
  const refused: string[] = [];
  let answered = 0;
  for (const expression of expressions()) {
    const found = await prometheus.count(expression);
    if (found === undefined) refused.push(expression);
    else if (found > 0) answered++;
  }
  return add(
    verdict(decided, `decisions of the last minute ${decided ? "are" : "are not"} counted`),
    verdict(
      refused.length === 0,
      `${expressions().length} expressions of the dashboards asked, ${answered} with series, ${refused.length} refused${refused.map((each) => `: ${each}`).join("")}`,
    ),
  );
};

/** Our dashboards as Grafana has taken them over. */
const checkGrafana = async ({ env }: ComposeProject): Promise<Counts> => {
  const answer = await fetch(`http://127.0.0.1:${env["GRAFANA_PORT"]}/api/search?type=dash-db`);
  const found = (await answer.json()) as readonly { uid: string }[]; // its list of dashboards
  const uids = found.map(({ uid }) => uid).toSorted();
  const expected = dashboards().map(({ uid }) => uid);
  return verdict(uids.join() === expected.toSorted().join(), `Grafana has the dashboards ${uids.join(", ")}`);
};

/** Starts the profile beside the running suite, asks it what it sees, and stops it. */
export const checkObservability = async ({ project, environment }: ContainerSession): Promise<Counts> => {
  const grafana = await imageOf(project, "grafana");
  const hasGrafana = await canHave(grafana, project.signal);
  const observed = await withPrometheus(project);
  const started = ["prometheus", ...(hasGrafana ? ["grafana"] : [])];
  await step(`docker compose --profile observability up ${started.join(" ")}`, () =>
    compose(observed, ...profile, "up", "--detach", "--no-recreate", "--no-deps", "--wait", ...started),
  );
  const made = await makeLoadProject(environment, "observability");
  const prometheus = openPrometheus(observed);
  let counts: Counts = none;
  // Rates want a counter that grows from one reading to the next.
  await loadWhile(environment, made, async () => {
    counts = add(
      await checkTargets(prometheus),
      await checkRules(prometheus),
      await checkExpressions(prometheus),
    );
  });
  if (hasGrafana) counts = add(counts, await checkGrafana(observed));
  else
    say(`skipped: Grafana: ${grafana} cannot be pulled; npm test checks the dashboards by Grafana's types`);
  await removeLoadProject(environment, made);
  await compose(observed, ...profile, "rm", "--force", "--stop", ...started);
  return counts;
};
