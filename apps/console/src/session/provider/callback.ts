/** How the window at the provider tells the console that it came back. */
export const callbackChannel = "ikg.console.sign-in";

/** The page to which the provider sends that window; registered there as a redirect URI. */
export const callbackPage = "signed-in.html";
