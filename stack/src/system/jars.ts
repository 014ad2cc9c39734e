/** The jars of a release of Neo4j Community, from Maven Central into `.tools/neo4j-<version>/lib`. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "../../launch/lock.mjs";
import type { Report } from "../../launch/progress.mjs";
import { say, step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { inRepository } from "../repository.ts";
import type { Neo4jRelease } from "../versions.ts";
import { versions } from "../versions.ts";

export const jarFolder = ({ neo4j }: Neo4jRelease): string => inRepository(".tools", `neo4j-${neo4j}`, "lib");

/** The folder gets its name when it is complete. */
export const hasJars = (release: Neo4jRelease): boolean => existsSync(jarFolder(release));

const dependency = (group: string, artifact: string, version: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

/** A project that does nothing but depend on the server. */
export const pom = ({ neo4j }: Neo4jRelease): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ikg</groupId><artifactId>embedded-neo4j</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    ${dependency("org.neo4j.app", "neo4j-server", neo4j)}
    ${dependency("org.neo4j", "neo4j", neo4j)}
  </dependencies>
</project>
`;

/** A finished download in Maven's output: descriptions and jars, Maven's own plugins among them. */
export const isDownload = (line: string): boolean => line.includes("Downloaded from ");

const download = async (release: Neo4jRelease, report: Report, signal: AbortSignal): Promise<void> => {
  const folder = dirname(jarFolder(release));
  const incoming = `${folder}.incoming`;
  const lib = join(incoming, "lib");
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(lib, { recursive: true });
  writeFileSync(join(incoming, "pom.xml"), pom(release));
  const goal = `org.apache.maven.plugins:maven-dependency-plugin:${versions.mavenDependencyPlugin}:copy-dependencies`;
  const args = [
    "--batch-mode",
    "--strict-checksums",
    "--file",
    join(incoming, "pom.xml"),
    goal,
    `-DoutputDirectory=${lib}`,
  ];
  let files = 0;
  const fetchAll = () =>
    runProgram("mvn", args, {
      cwd: incoming,
      signal,
      onLine: (line) => {
        if (isDownload(line)) report(`${++files} files fetched`);
        else if (/Copying .*\.jar/.test(line))
          report(`${readdirSync(lib).length} of ${release.neo4jJars} jars`);
      },
    });
  let result = await fetchAll();
  if (result.code !== 0 && !signal.aborted) result = await fetchAll();
  if (result.code !== 0) {
    const reason =
      result.tail.find((line) => line.startsWith("[ERROR]"))?.slice(8, 300) ?? result.tail.at(-1) ?? "";
    throw new UserError(
      `Neo4j cannot be fetched from Maven Central: ${reason} Check the network and try again.`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(incoming, folder);
};

/** Fetches them when they are missing; one process at a time. */
export const prepareJars = async (release: Neo4jRelease, signal: AbortSignal): Promise<void> => {
  const title = `Neo4j Community ${release.neo4j} from Maven Central`;
  await withLock(
    inRepository(".tools", "neo4j-lock"),
    async () => {
      if (hasJars(release)) return;
      await step(
        title,
        (report) => download(release, report, signal),
        () => `${title}, ${readdirSync(jarFolder(release)).length} jars`,
      );
    },
    () => say("Another run fetches Neo4j; waiting for it."),
  );
};
