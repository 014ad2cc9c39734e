/** The address of the page, with the project also where it is the one that is shown by default. */
export const permalink = (projectId: string): string => {
  const address = location.href;
  if (/[?&]project=/.test(address)) return address;
  return `${address}${address.includes("?") ? "&" : "?"}project=${encodeURIComponent(projectId)}`;
};
