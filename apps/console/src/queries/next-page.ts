/** Generators of pages of which one could not be read. They have ended, and the page before was not the last one. */
const failed = new WeakSet<object>();

/**
 * The next page of a generator.
 *
 * @returns undefined after the last page.
 * @throws what reading the page throws, and an Error for every later call.
 */
export const nextPage = async <Page>(
  pages: AsyncGenerator<Page, void, undefined>,
): Promise<Page | undefined> => {
  if (failed.has(pages))
    throw new Error(
      "A page could not be read, so this result cannot be continued. Start again to read all of it.",
    );
  try {
    const next = await pages.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    failed.add(pages);
    throw error;
  }
};
