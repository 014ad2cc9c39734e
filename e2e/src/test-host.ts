/**
 * The address of this machine under which the suite reaches what a test starts here: itself, where the suite runs on this
 * machine; else `IKG_TEST_HOST` names it.
 */
export const testHost = (): string => process.env["IKG_TEST_HOST"] || "127.0.0.1";

/** True where the services of the suite are processes of this machine, which listen on loopback. */
export const onThisMachine = (): boolean => testHost() === "127.0.0.1";
