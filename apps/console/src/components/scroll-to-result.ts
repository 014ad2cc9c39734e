/** A ref: scrolls to a result that is below its form, as on a narrow page. */
export const scrollToResult = (element: HTMLElement | null): void => {
  if (element !== null && element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView();
};
