/** An error that the user can fix: its message is one line with the remedy, and no stack is shown. */
export class UserError extends Error {}
