/** Whether the page has WebCrypto, which browsers offer to pages over https or from localhost alone; the type does not say so. */
export const hasWebCrypto = (): boolean => (crypto.subtle as SubtleCrypto | undefined) !== undefined;
