type GiveUp = (reason: string, line: string) => void;

/**
 * Ends the start of a process, or logs once while it runs, that a store is not reached for its certificate.
 *
 * @param setting with the address of the store.
 * @param fault in words that follow the name of the store.
 */
export const giveUpStore = (store: string, setting: string, fault: string, giveUp: GiveUp): void => {
  const line = `${setting}: no TLS connection to ${store}: ${fault}; see "TLS to each store" in docs/operations.md`;
  giveUp(line, line);
};
