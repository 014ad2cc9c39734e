/** Prints the milliseconds that the import of the package named by the first argument takes. */
const [, , name = ""] = process.argv;
const start = performance.now();
await import(name);
process.stdout.write(String(performance.now() - start));
