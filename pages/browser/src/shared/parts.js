// What the bars of an answer are made of.

/** The parts that tokens are in, by their keys: the kinds of text, and the explanation. */
export const PARTS = Object.keys(TABLE.parts);
