const element = (tagName, properties, children) => ({
  type: "element",
  tagName,
  properties,
  children,
});

/** The cells of each line of a table, of which MDX makes one paragraph of text. */
function rowsOf({ children }) {
  const rows = [[[]]];
  for (const child of children)
    for (const part of child.type === "text" ? child.value.split(/ *(\||\n) */) : [child])
      if (part === "\n") rows.push([[]]);
      else if (part === "|") rows.at(-1).push([]);
      else if (part !== "")
        rows
          .at(-1)
          .at(-1)
          .push(part.type ? part : { type: "text", value: part });
  return rows.map((cells) => cells.slice(1, -1));
}

/** As `Table` of app/ui makes it. */
function tableOf(paragraph) {
  const [head, , ...rows] = rowsOf(paragraph);
  const names = head.map(([first]) => first?.value ?? "");
  const row = ([first, ...others]) =>
    element("tr", {}, [
      element("th", { scope: "row" }, first),
      ...others.map((cell, index) => element("td", { dataColumn: names[index + 1] }, cell)),
    ]);
  const heads = head.map((cell) => element("th", { scope: "col" }, cell));
  return element("table", { className: ["folds"] }, [
    element("thead", {}, [element("tr", {}, heads)]),
    element("tbody", {}, rows.map(row)),
  ]);
}

const withTables = () => (tree) => {
  tree.children = tree.children.map((node) =>
    node.tagName === "p" && node.children[0].value?.startsWith("|") ? tableOf(node) : node,
  );
};

/** Apostrophes as on screens; in code they stay. */
const withApostrophes = () =>
  function curl(node) {
    if (node.type === "text") node.value = node.value.replace(/(?<=\w)'|'(?=s\b)/g, "’");
    else if (node.tagName !== "code") node.children?.forEach(curl);
  };

/** Lays a Markdown page out as other pages are: its first paragraph leads, each heading begins a section. */
const inSections = () => (tree) => {
  const idOf = ({ children }) =>
    children
      .map(({ value }) => value)
      .join("")
      .toLowerCase()
      .replace(/\W+/g, "-");
  const rest = tree.children.filter(({ type }) => type === "mdxjsEsm");
  let body = [];
  const sections = [element("div", { className: ["stack"] }, body)];
  for (const node of tree.children.filter(({ tagName = "h1" }) => tagName !== "h1")) {
    if (node.tagName === "h2") {
      body = [];
      const stack = element("div", { className: ["stack"] }, body);
      sections.push(element("section", { className: ["entry"], id: idOf(node) }, [node, stack]));
    } else {
      if (node.tagName === "h3") node.properties.id = idOf(node);
      body.push(node);
    }
  }
  const [intro] = sections;
  const lead = intro.children.find(({ tagName }) => tagName === "p");
  lead.properties.className = ["lead"];
  intro.children = intro.children.filter((each) => each !== lead);
  const head = element("div", { className: ["head"] }, [lead]);
  tree.children = [...rest, head, ...sections.filter(({ children }) => children.length > 0)];
};

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  serverModuleFormat: "esm",
  // package.json#imports are bundled: left external, the build passes and the start crashes.
  // So are packages of many small ES modules: read one by one they cost 0.8 s of a start and 130 MB.
  // Not in `npm run build`: scripts/bundle.mjs brings all packages in, once for the service and the command.
  serverDependenciesToBundle:
    process.env.NODE_ENV === "production"
      ? [/^#/, /^@deed\//]
      : [
          /^#/,
          /^@deed\//,
          /^(?:zod|drizzle-orm|rou3|croner|openid-client|oauth4webapi|jose|tldts|tldts-core|tr46|punycode)(?:\/|$)/,
        ],
  watchPaths: [
    "./db/**/*",
    "./worker/**/*",
    "./packages/**/*",
    "./docs/{handoffs.md,integrate/**/*,operate/*.md,pages/**/*}",
  ],
  mdx: { rehypePlugins: [withTables, withApostrophes, inSections] },
  // v3_singleFetch stays off: 22 to 30 % slower, it loses request.signal, and CVE-2026-34077 is not mended in Remix 2.
  // v3_lazyRouteDiscovery too: its /__manifest lets one request stop the event loop (CVE-2026-55685).
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    v3_routeConfig: false,
  },
};
