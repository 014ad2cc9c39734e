/**
 * What a person sees while something is prepared: one line per step with its time, and below it, while a step runs,
 * one line of progress. On a terminal that line is rewritten; in a log it is repeated now and then.
 */

/** @typedef {(text: string) => void} Report reports the progress of a running step */

const repeatAfterMs = 10_000;

const output = {
  /** @type {(line: string) => void} */
  print: (line) => void process.stdout.write(`${line}\n`),
  live: process.stdout.isTTY,
};
let shown = 0;

// The reader of our output has gone (`npm start | head -1`): stop in order, as on Ctrl-C, instead of breaking down.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error) => {
    if (!("code" in error) || error.code !== "EPIPE") throw error;
    output.print = () => {};
    output.live = false;
    process.kill(process.pid, "SIGTERM");
  });

/**
 * Sends the lines somewhere else, without rewritten ones.
 * @param {(line: string) => void} print
 */
export const printTo = (print) => {
  output.print = print;
  output.live = false;
};

/** @param {number} ms @returns {string} seconds with one digit, as wide as minutes of waiting need */
export const formatDuration = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);

/** @param {number} ms @param {string} text */
export const formatStep = (ms, text) => `${formatDuration(ms)}  ${text}`;

const clearLive = () => {
  if (shown > 0) process.stdout.write("\r\u001b[2K");
  shown = 0;
};

/** Prints one line. @param {string} line */
export const say = (line) => {
  clearLive();
  output.print(line);
};

/**
 * Cuts a text to the width of the terminal, so that rewriting it never leaves half of it above.
 * @param {string} text @param {number} width
 */
export const fit = (text, width) =>
  text.length < width ? text : `${text.slice(0, Math.max(0, width - 2))}…`;

const showLive = (/** @type {string} */ text) => {
  clearLive();
  const line = fit(text, process.stdout.columns || 80);
  process.stdout.write(line);
  shown = line.length;
};

/**
 * Does one step and prints its line. What `work` returns replaces `title` in that line when it is a text; a failed
 * step prints nothing, its error is the whole report.
 *
 * @template T
 * @param {string} title
 * @param {(report: Report) => Promise<T>} work
 * @param {(result: T) => string} [done] the text of the finished line
 * @returns {Promise<T>}
 */
export const step = async (title, work, done) => {
  const started = performance.now();
  let text = title;
  let printed = started;
  const refresh = () => {
    const now = performance.now();
    if (output.live) showLive(formatStep(now - started, text));
    else if (now - printed >= repeatAfterMs) {
      printed = now;
      output.print(`${formatStep(now - started, text)} …`);
    }
  };
  const ticker = setInterval(refresh, output.live ? 250 : 1000);
  try {
    const result = await work((progress) => {
      text = `${title}: ${progress}`;
    });
    say(formatStep(performance.now() - started, done ? done(result) : title));
    return result;
  } finally {
    clearInterval(ticker);
    clearLive();
  }
};
