/** A ref: brings a result into sight where it stands below its form, as on a narrow page. */
export const scrollToResult = (element: HTMLElement | null): void => {
  if (element !== null && element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView();
};
