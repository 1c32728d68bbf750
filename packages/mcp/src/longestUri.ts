/** Longest URI that templates are tried on, in characters. The time to match is the product of this and the template. */
export const LONGEST_URI = 2_048;
