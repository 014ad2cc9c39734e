/** Something a person can put right: its message is one line that says what to do, and no stack is shown. */
export class Refusal extends Error {}
