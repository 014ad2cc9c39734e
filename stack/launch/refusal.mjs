/** Something a person can put right: its message is one line with the remedy, and no stack is shown. */
export class Refusal extends Error {}
