/** The one place that knows where the rendering library lies. */
export {
  html, render, useEffect, useMemo, useRef, useState, useCallback, createContext, useContext,
} from "../vendor/htm-preact.js";
