// The two sides, and what people call them.

export const SIDES = ["json", "toon"];
export const TITLES = { json: "JSON", toon: "TOON" };

export const otherSide = (side) => (side === "json" ? "toon" : "json");
