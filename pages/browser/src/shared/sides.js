// The two sides, and what people call them and the code that is read as JSON.

export const SIDES = ["json", "toon"];
export const TITLES = TABLE.sides;

export const otherSide = (side) => (side === "json" ? "toon" : "json");

/** The side of the pane that shows a text of `side`. */
export const paneOf = (side) => (side === "toon" ? "toon" : "json");
