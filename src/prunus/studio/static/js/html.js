/** The one place that knows where the rendering library lies. */
export {
  html, render, useEffect, useLayoutEffect, useMemo, useRef, useState, useCallback, createContext, useContext,
} from "../vendor/htm-preact.js";
