/** Processes of a measurement's own and connections to them, for as long as it takes. */
import { type Evaluations, openEvaluations } from "../../stack/src/measurement/evaluations.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface Servers {
  /** @returns its address */
  readonly start: (program: URL, env: Readonly<Record<string, string>>) => Promise<string>;
  readonly open: (url: string) => Evaluations;
}

/** @param callers of each address at most. Connections are closed first, then processes end, the last one first. */
export const withServers = async <T>(callers: number, work: (servers: Servers) => Promise<T>): Promise<T> => {
  const processes: ServerProcess[] = [];
  const clients: Evaluations[] = [];
  try {
    return await work({
      start: async (program, env) => {
        const process = await startServerProcess(program, env);
        processes.unshift(process);
        return process.url;
      },
      open: (url) => {
        const client = openEvaluations(url, callers);
        clients.push(client);
        return client;
      },
    });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    for (const process of processes) await process.stop();
  }
};
