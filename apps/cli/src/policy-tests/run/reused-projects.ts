import type { World } from "../file/world.ts";
import { matcherOf } from "../suite/issuer.ts";
import { type LoadedWorld, type Loader, loadWorld } from "../suite/load.ts";
import type { ProjectPool } from "./run-file.ts";

/** The loaded contents of a world. Tests are not part of it, and can change without reloading. */
const contentOf = ({ graph, policies, queries, resolvers, people }: World): string =>
  JSON.stringify([
    [...graph.nodes, ...graph.relationships].map(({ body }) => body),
    policies.map(({ name, status, tags, text }) => [name, status, tags, text]),
    queries.map(({ name, status, policy, text }) => [name, status, policy, text]),
    resolvers.map(({ name, answer, record }) => [name, answer, record]),
    people.map((person) => [matcherOf(person), person.type]),
  ]);

const writes = ({ tests }: World): boolean => tests.some((test) => test.kind === "query" && test.writes);

/**
 * Reuses the project of a file in the next run if its world has not changed and no test has written to it. A changed world gets a
 * new project, because changes of an existing one take a while to reach all processes.
 */
export const reusedProjects = (loader: Loader): ProjectPool => {
  const kept = new Map<string, { readonly content: string; readonly loaded: LoadedWorld }>();
  // Not awaited: remaining projects are removed at the end.
  const remove = ({ project }: LoadedWorld): void =>
    void loader.projects.remove(project).catch(() => undefined);
  return {
    acquire: async (world) => {
      const content = contentOf(world);
      const before = kept.get(world.file);
      if (before?.content === content) return before.loaded;
      kept.delete(world.file);
      if (before !== undefined) remove(before.loaded);
      const loaded = await loadWorld(loader, world);
      kept.set(world.file, { content, loaded });
      return loaded;
    },
    release: async (world, loaded) => {
      if (!writes(world)) return;
      kept.delete(world.file);
      remove(loaded);
    },
  };
};
