/**
 * A command for operators, where the variables of a service are set, as in its container: shows the level of its log, or
 * sets the one that is given until the process ends.
 *
 *   node libs/service/src/logs/log-level.ts [LEVEL]
 */
const [level] = process.argv.slice(2);
const request = level === undefined ? {} : { method: "PUT", body: level };
const answer = await fetch(`http://127.0.0.1:${process.env["METRICS_PORT"]}/log-level`, request);
process.stdout.write(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
