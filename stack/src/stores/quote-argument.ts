/** One argument in quotes, as a file of `java @file` and the configuration of Redis have it. */
export const quoteArgument = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;
