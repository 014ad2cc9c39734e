/** Project keys are drawn anew in every run; a statement is the same one whatever its project is. */
export const withoutProject = (text: string): string => text.replaceAll(/(?<=__|')[a-z0-9]{8}(?=\b|\/)/g, "");
