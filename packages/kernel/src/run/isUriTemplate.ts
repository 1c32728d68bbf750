const VARIABLE = /^(?:\w|%[0-9a-f]{2})(?:[\w.]|%[0-9a-f]{2})*(?:\*|:[1-9]\d{0,3})?$/i;
const EXPRESSION = /\{([^{}]*)\}/g;

/** Whether a text can be read as a template by RFC 6570: its braces are closed, and hold names of variables with an operator that there is. */
export function isUriTemplate(text: string): boolean {
  if (/[{}]/.test(text.replace(EXPRESSION, ""))) return false;
  return [...text.matchAll(EXPRESSION)].every(([, expression = ""]) =>
    expression
      .replace(/^[+#./;?&]/, "")
      .split(",")
      .every((variable) => VARIABLE.test(variable.trim())),
  );
}
