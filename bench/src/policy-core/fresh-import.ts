/** Prints the milliseconds that the imports of the modules named by the arguments take, one after the other. */
const [, , ...names] = process.argv;
const start = performance.now();
for (const name of names) await import(name);
process.stdout.write(String(performance.now() - start));
