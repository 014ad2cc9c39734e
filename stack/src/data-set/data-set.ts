/** A data set: what the database of a release holds, with the questions that it was asked and their answers. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { inRepository } from "../repository.ts";
import type { StoredLine } from "./database.ts";

/** One question about access, and the decision. */
export interface AnsweredQuestion {
  /** Place of the project that is asked about in `projects`. */
  readonly project: number;
  readonly subject: string;
  readonly action: string;
  readonly resource: string;
  readonly decision: boolean;
}

/** A project with its key, and a knowledge query with the rows that it answers. */
export interface DataSetProject {
  readonly id: string;
  /** Value of X-SVC-ClientKey. */
  readonly key: string;
  readonly queryId: string;
  readonly rows: number;
}

/** Name of the data set of the builds before the first release. */
export const unversioned = "unversioned";

export interface DataSet {
  /** The release that wrote it, or `unversioned`. */
  readonly release: string;
  /** The commit whose services wrote it, or its tag: a release is tagged after its data set was written. */
  readonly commit: string;
  /** Keys of the deployment; they protect nothing. */
  readonly variables: Readonly<Record<string, string>>;
  readonly organizationId: string;
  readonly token: string;
  readonly projects: readonly DataSetProject[];
  readonly questions: readonly AnsweredQuestion[];
  readonly stored: readonly StoredLine[];
}

/** Writes it as gzipped lines of JSON: first what it is, then what the database holds, a line each. */
export const writeDataSet = (file: string, { stored, ...about }: DataSet): void => {
  const lines = [about, ...stored].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(file, gzipSync(lines.join(""), { level: 9 }));
};

export const readDataSet = (file: string): DataSet => {
  const [first = "", ...lines] = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  const about = JSON.parse(first) as Omit<DataSet, "stored">; // written above
  return { ...about, stored: lines.map((line) => JSON.parse(line) as StoredLine) };
};

/** Data sets of all releases whose data can still be upgraded. */
export const dataSetFiles = (): readonly string[] =>
  globSync(inRepository("stack", "data-sets", "*.ndjson.gz")).toSorted();
