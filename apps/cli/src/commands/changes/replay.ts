import { type AuditRecord, type Replay, type ReplayedDecision, replayPortions } from "@ikg/client";
import { withLocatedErrors } from "../../project-folder/located-errors.ts";
import { type ProposedChanges, readChanges } from "../../changes/read-changes.ts";
import { recordedDecisions } from "../../changes/recorded-decisions.ts";
import { questionOf } from "../../changes/recorded-question.ts";
import { openAdmin } from "../../connection/clients.ts";
import { limitItems } from "../../input/search-options.ts";
import { periodOf } from "../../input/period.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import { tableOf } from "../../output/table.ts";
import type { Print } from "../../output/print.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { showProgress } from "../../progress.ts";

interface Options {
  readonly since: number;
  readonly export?: string;
  readonly limit?: number;
  readonly examples: number;
}

type Call = Invocation<[path: string | undefined], Options>;
type Verdicts = Replay["verdicts"];
type Differing = ReplayedDecision & { readonly question: string };

interface Summary {
  readonly decisions: number;
  readonly verdicts: Verdicts;
  /** Number of decisions that the changes would flip. */
  readonly turned: number | undefined;
  readonly differing: readonly Differing[];
}

const isFlipped = ({ now, with_changes }: ReplayedDecision): boolean =>
  now !== undefined && with_changes !== undefined && now !== with_changes;

const differs = (result: ReplayedDecision): boolean =>
  result.verdict === "policy_changed" || result.verdict === "graph_changed" || isFlipped(result);

const add = (one: Verdicts, other: Verdicts): Verdicts => ({
  same: one.same + other.same,
  policy_changed: one.policy_changed + other.policy_changed,
  graph_changed: one.graph_changed + other.graph_changed,
  not_replayable: one.not_replayable + other.not_replayable,
});

const withQuestions = (
  results: readonly ReplayedDecision[],
  records: readonly AuditRecord[],
): readonly Differing[] => {
  const byId = new Map(records.map((record) => [record.id, record]));
  return results.map((result) => {
    const record = byId.get(result.record);
    return { ...result, question: record === undefined ? "" : questionOf(record, result.entry) };
  });
};

const replayAll = async (call: Call, changes: ProposedChanges | undefined): Promise<Summary> => {
  const { options, environment } = call;
  const admin = await openAdmin(call);
  const chosen = { since: Date.now() - options.since, folder: options.export };
  const progress = showProgress(environment, "replayed records:", undefined);
  let verdicts: Verdicts = { same: 0, policy_changed: 0, graph_changed: 0, not_replayable: 0 };
  let [decisions, turned] = [0, 0];
  const differing: Differing[] = [];
  const records = limitItems(recordedDecisions(admin, chosen, environment), options.limit);
  for await (const portion of replayPortions(records)) {
    const request = { records: portion, changes: changes?.changes };
    const replay = () => admin.simulations.replay(request);
    const { results, verdicts: counted } = await (changes === undefined
      ? replay()
      : withLocatedErrors(changes, environment, replay));
    verdicts = add(verdicts, counted);
    decisions += results.length;
    turned += results.filter(isFlipped).length;
    differing.push(...withQuestions(results.filter(differs), portion));
    progress.add(portion.length);
  }
  progress.end();
  return { decisions, verdicts, turned: changes === undefined ? undefined : turned, differing };
};

const word = (granted: boolean | undefined): string =>
  granted === undefined ? "" : granted ? "granted" : "denied";

const textOf = (
  { decisions, verdicts, turned, differing }: Summary,
  maxShown: number,
  print: Print,
): string => {
  const { same, policy_changed, graph_changed, not_replayable } = verdicts;
  const summary =
    `${decisions} decisions: ${same} same, ${policy_changed} changed by policies, ${graph_changed} changed by graph data, ${not_replayable} not replayable` +
    (turned === undefined ? "" : `; the changes would flip ${turned}`);
  if (differing.length === 0) return `${summary}\n`;
  const hasChanges = turned !== undefined;
  const table = tableOf(
    ["QUESTION", "THEN", "NOW", ...(hasChanges ? ["WITH CHANGES"] : []), "VERDICT"],
    differing
      .slice(0, maxShown)
      .map((each) => [
        each.question,
        word(each.then),
        word(each.now),
        ...(hasChanges ? [word(each.with_changes)] : []),
        each.verdict,
      ]),
    print,
  );
  const rest = differing.length > maxShown ? `and ${differing.length - maxShown} more\n` : "";
  return `${summary}\n\n${table}${rest}`;
};

/** `ikg replay`: evaluates recorded decisions again. */
export const command: CommandModule<[path: string | undefined], Options> = {
  description: [
    "Reads decisions from the audit records of the suite or of an export (ikg audit export), and evaluates them again, see docs/replay.md. Only signed batches are read, so the last seconds may be missing.",
    "With a path, the decisions are also evaluated with proposed changes, in the format of ikg simulate.",
  ],
  examples: [
    { purpose: "Evaluate the decisions of the last day again", command: "ikg replay --since 24h" },
    {
      purpose: "Evaluate them with a proposed change as well",
      command: "ikg replay --since 24h examples/airfield/changes/fifty-hours.json",
      exits: 1,
    },
    { purpose: "Use the records of an export", command: "ikg replay --since 30d --export export" },
  ],
  exitCodes: { 0: "no decision differs", 1: "a decision differs" },
  configure: (command) =>
    void command
      .argument("[path]", "proposed changes: a file, or a folder of policies")
      .option("--since <period>", "period to replay, such as 30m, 24h or 7d", periodOf, 86_400_000)
      .option("--export <folder>", "read the records of an export instead of those of the suite")
      .option("--limit <number>", "maximum number of records", wholeNumber(1, 1_000_000_000))
      .option(
        "--examples <number>",
        "maximum number of differing decisions to show",
        wholeNumber(0, 1_000_000),
        50,
      ),
  run: async (call) => {
    const { args, options, environment, print } = call;
    const [path] = args;
    const changes = path === undefined ? undefined : await readChanges(path, environment);
    const summary = await replayAll(call, changes);
    await print.text(textOf(summary, options.examples, print), summary);
    return summary.differing.length > 0 ? 1 : 0;
  },
};
