import { type dimensionNames, type Gid, newGid } from "@ikg/contracts";
import type { Graph, ProjectGraph, Row } from "@ikg/graph";
import {
  keyPrefix,
  type ProjectKey,
  projectLabel,
  quoteName,
  recordLabel,
  recordLabels,
  trustRunLabel,
  typeLabel,
} from "@ikg/physical";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import type { Schedule } from "../src/profiles/profile.ts";

export const options = { timeoutMs: 60_000 };

type DimensionName = (typeof dimensionNames)[number];

export interface ProfileFields {
  readonly type?: string;
  readonly schedule?: Schedule;
  readonly dimensions?: Readonly<Partial<Record<DimensionName, number>>>;
}

/** The state of a profile's runs, as it is stored. */
export type StoredState = Readonly<Record<string, unknown>>;

/** A project of a test with nodes and profiles, stored as the other services do. */
export interface TestProject {
  readonly id: Gid;
  readonly organizationId: Gid;
  readonly pk: ProjectKey;
  /** Nodes of a type by external id, as physical fields. */
  nodes(type: string, fields: Readonly<Record<string, Row>>): Promise<void>;
  profile(fields?: ProfileFields): Promise<Gid>;
  changeProfile(id: Gid, fields: ProfileFields): Promise<void>;
  removeProfile(id: Gid): Promise<void>;
  setStatus(status: string): Promise<void>;
  /** Hides the project from scorers, as its deletion does. */
  remove(): void;
  /** Fields of the score of each node of a type, by external id. */
  scores(type: string): Promise<Record<string, Row>>;
  countScores(): Promise<number>;
  /** Waits until the number of score nodes is as expected. @param everyMs default: 20 */
  waitForScores(isExpected: (count: number) => boolean, everyMs?: number): Promise<void>;
  state(profile: Gid): Promise<StoredState | undefined>;
  /** Waits until a run of a profile has ended that began after a time; its state then. */
  scored(profile: Gid, after?: string, timeoutMs?: number): Promise<StoredState>;
  /** Runs a statement where the graph is. */
  run(text: string, params?: Row): Promise<Row[]>;
}

const dimensionsOf = (dimensions: ProfileFields["dimensions"]) =>
  Object.entries(dimensions ?? { FRESHNESS: 1, ORIGIN: 1, VERIFICATION: 1 }).map(([name, weight]) => ({
    name,
    weight,
  }));

const profileData = ({ type = "Person", schedule = "DAILY", dimensions }: ProfileFields): string =>
  JSON.stringify({ node_classification: type, schedule, dimensions: dimensionsOf(dimensions) });

export interface KnownProject extends ProjectGraph {
  readonly id: Gid;
  readonly pk: ProjectKey;
  readonly organizationId: Gid;
  ikgStatus: string;
  isDeleted?: boolean;
}

export class StoredTestProject implements TestProject {
  readonly #known: KnownProject;
  readonly #graph: Graph;
  readonly #onProfile: (profile: Gid) => void;

  constructor(known: KnownProject, graph: Graph, onProfile: (profile: Gid) => void) {
    this.#known = known;
    this.#graph = graph;
    this.#onProfile = onProfile;
  }

  get id(): Gid {
    return this.#known.id;
  }

  get organizationId(): Gid {
    return this.#known.organizationId;
  }

  get pk(): ProjectKey {
    return this.#known.pk;
  }

  run(text: string, params: Row = {}): Promise<Row[]> {
    return this.#graph.of(this.#known).write((tx) => tx.run(text, params), options);
  }

  /** Stores the project's own record. */
  async store(): Promise<void> {
    const { id, pk, organizationId } = this.#known;
    const stored = {
      id,
      pk,
      kind: "project",
      organization_id: organizationId,
      name: `trust-${pk}`,
      version: 1,
      ikg_status: "ACTIVE",
      data: "{}",
    };
    await this.#inShared(`CREATE (r:${recordLabel}:${recordLabels.project}) SET r = $stored`, { stored });
  }

  async nodes(type: string, fields: Readonly<Record<string, Row>>): Promise<void> {
    const { pk } = this;
    const rows = Object.entries(fields).map(([x, p]) => ({ x, p, id: newGid("node") }));
    const labels = [projectLabel(pk), typeLabel(type, pk)].map(quoteName).join(":");
    for (let at = 0; at < rows.length; at += 5_000)
      await this.run(
        `UNWIND $rows AS row CREATE (n:_Node:${labels}) SET n = row.p,
         n += {_key: $prefix + row.x, id: row.id, external_id: row.x, type: $type}`,
        { rows: rows.slice(at, at + 5_000), prefix: keyPrefix(pk, type), type },
      );
  }

  async profile(fields: ProfileFields = {}): Promise<Gid> {
    const profile = newGid("trust_score_profile");
    this.#onProfile(profile);
    const stored = {
      id: profile,
      kind: "trust_score_profile",
      project_id: this.id,
      update_time: new Date().toISOString(),
      data: profileData(fields),
    };
    await this.#inShared(
      `CREATE (r:${recordLabel}:${quoteName(recordLabels.trust_score_profile)}) SET r = $stored`,
      { stored },
    );
    return profile;
  }

  async changeProfile(profile: Gid, fields: ProfileFields): Promise<void> {
    await this.#inShared(`MATCH (r:${recordLabel} {id: $profile}) SET r.data = $data, r.update_time = $now`, {
      profile,
      data: profileData(fields),
      now: new Date().toISOString(),
    });
  }

  async removeProfile(profile: Gid): Promise<void> {
    await this.#inShared(`MATCH (r:${recordLabel} {id: $profile}) DELETE r`, { profile });
  }

  async setStatus(status: string): Promise<void> {
    this.#known.ikgStatus = status;
  }

  remove(): void {
    this.#known.isDeleted = true;
  }

  async scores(type: string): Promise<Record<string, Row>> {
    const [label, scoreLabel] = [type, "_TrustScore"].map((each) => quoteName(typeLabel(each, this.pk)));
    const rows = await this.run(
      `MATCH (n:${label})-[:_HAS]->(t:${scoreLabel}) RETURN n.external_id AS x, properties(t) AS t`,
    );
    return Object.fromEntries(rows.map((row) => [String(row["x"]), row["t"] as Row])); // properties of a node
  }

  async countScores(): Promise<number> {
    const label = quoteName(typeLabel("_TrustScore", this.pk));
    const [row] = await this.run(`MATCH (t:${label}) RETURN count(t) AS n`);
    return Number(row?.["n"]);
  }

  async waitForScores(isExpected: (count: number) => boolean, everyMs = 20): Promise<void> {
    await eventually(() => this.countScores(), isExpected, { withinMs: 60_000, everyMs });
  }

  async state(profile: Gid): Promise<StoredState | undefined> {
    const text = `MATCH (r:${trustRunLabel} {profile_id: $profile}) RETURN properties(r) AS s`;
    const [row] = await this.#inShared(text, { profile });
    return row?.["s"] as StoredState | undefined; // the one column
  }

  async scored(profile: Gid, after = "", timeoutMs = 60_000): Promise<StoredState> {
    const state = await eventually(
      () => this.state(profile),
      (now) => {
        const begunTime = now?.["last_run_start_time"];
        return typeof begunTime === "string" && begunTime > after;
      },
      { withinMs: timeoutMs, everyMs: 20 },
    );
    return state ?? {};
  }

  #inShared(text: string, params: Row): Promise<Row[]> {
    return this.#graph.shared.write((tx) => tx.run(text, params), options);
  }
}
