import globalData from "@csstools/postcss-global-data";
import customProperties from "postcss-custom-properties";

/** Puts each value before its `var()`, for browsers that drop a declaration with one, such as NetSurf. */
export default {
  plugins: [
    // The stylesheet's parts are processed one by one: this shows each of them what :root says.
    globalData({ files: ["app/styles/tokens.css"] }),
    customProperties(),
  ],
};
