/** Message and hint as one text: `There is no plugin x` and `Install it.` become `There is no plugin x. Install it.` */
export function sentences(message: string, hint: string | undefined): string {
  if (hint === undefined) return message;
  return `${ended(message)} ${hint}`;
}

/** A message with a full stop, where it has no mark at its end. */
function ended(message: string): string {
  return /[.?!:;…]["')\]]?$/.test(message) ? message : `${message}.`;
}
