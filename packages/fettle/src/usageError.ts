/** Wrong use or a wrong config: the CLI prints the message and exits with 2. */
export class UsageError extends Error {
  /** What to do, on lines of its own under the message. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}
