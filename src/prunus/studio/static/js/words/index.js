/** The words of all rooms, in the language that was chosen. */
import { en } from "./en.js";
import { it } from "./it.js";
import { lab } from "./lab.js";
import { solve } from "./solve.js";
import { teach } from "./speech.js";
import { tree } from "./tree.js";

for (const words of [{ en, it }, tree, lab, solve]) teach(words);

export * from "./speech.js";
