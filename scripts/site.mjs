// `npm run site [-- folder]`: writes a site that any host serves, by default into dist/site: a front page, and the docs,
// the API reference and llms.txt as the product itself renders them. All links are relative, and no page needs a script.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { unpackProduct } from "./product.mjs";
import { output } from "./setup.mjs";

const SITE = process.argv[2] ?? "dist/site";
/** What the docs call an installation, which nobody reads here. */
const BASE_URL = "https://deed.example.org";
const { description } = JSON.parse(readFileSync("package.json", "utf8"));

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
};

/** The product, with nothing to ask, and what ends it. */
async function serve() {
  const remove = unpackProduct();
  const folder = mkdtempSync(join(tmpdir(), "deed-site-"));
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: String(port), DATA_DIR: folder };
  const child = spawn(process.env.DEED_COMMAND, ["serve"], {
    env: { ...env, BASE_URL, DNS_RESOLVERS: "", RDAP: "off" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/api/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error("the product ended at its start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = async () => {
    child.kill();
    await once(child, "exit");
    rmSync(folder, { recursive: true });
    remove();
  };
  return { url, stop, publicFolder: join(dirname(dirname(process.env.DEED_COMMAND)), "public") };
}

function write(file, content) {
  mkdirSync(dirname(join(SITE, file)), { recursive: true });
  writeFileSync(join(SITE, file), content);
}

if (existsSync(SITE) && readdirSync(SITE).length > 0 && !existsSync(join(SITE, "llms.txt"))) {
  console.error(`${SITE} has files that are no site, and stays as it is.`);
  process.exit(1);
}
const product = await serve();
try {
  const read = async (path) => {
    // On a busy machine, a kept connection may be used just as the product closes it.
    const answer = await fetch(product.url + path, { headers: { connection: "close" } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };

  rmSync(SITE, { recursive: true, force: true });
  const APP_ONLY = /^\/docs\/search/;
  /** The file of the site that a path of the product is; null for what only an installation has. */
  function fileOf(path) {
    if (path === "/") return "index.html";
    if (/^\/docs(?:\/|$)/.test(path) && !APP_ONLY.test(path))
      return /\.\w+$/.test(path) ? path.slice(1) : `${path.slice(1)}.html`;
    if (/^\/(?:llms\.txt|api\/openapi(?:-3\.0)?\.json)$/.test(path)) return path.slice(1);
    return /\.\w+$/.test(path) && existsSync(join(product.publicFolder, path))
      ? path.slice(1)
      : null;
  }

  const wanted = new Set(["/docs"]);
  /** A link of `from`, relative; null if it leads to what the site lacks. */
  function linkFrom(from, link) {
    const [, path = "", fragment = ""] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
    const file = fileOf(path);
    if (file === null) return null;
    if (file.endsWith(".html") && file !== "index.html") wanted.add(path);
    const asset = join(product.publicFolder, path);
    if (path !== "/" && existsSync(asset)) cpSync(asset, join(SITE, path));
    return posix.relative(dirname(from), file) + fragment;
  }

  const { keys } = JSON.parse(await read("/.well-known/jwks.json"));

  /** A page for the site: what only an installation has is left out of its navigation, and is no link elsewhere. */
  const staticPage = (html, file) =>
    html
      .replaceAll(keys[0].kid, "&lt;its thumbprint&gt;")
      .replace(/<li>(?:(?!<\/li>).)*href="\/sign-in"(?:(?!<\/li>).)*<\/li>/s, "")
      .replace(/ ?<a [^>]*href="\/docs\/search"[^>]*>[^<]*<\/a>/, "")
      .replace(
        /<a\b([^>]*) ?href="(\/[^"]*)"([^>]*)>(.*?)<\/a>/gs,
        (_, before, href, after, text) => {
          const link = linkFrom(file, href);
          return link === null ? text : `<a${before} href="${link}"${after}>${text}</a>`;
        },
      )
      .replace(
        /(<(?:link|script|img|source)\b[^>]*? (?:href|src|srcset)=")(\/[^"]*)"/g,
        (_, start, path) => {
          const link = linkFrom(file, path);
          if (link === null) throw new Error(`${file} needs ${path}`);
          return `${start}${link}"`;
        },
      );

  const staticText = (text, file) =>
    text
      .replaceAll(keys[0].kid, "<its thumbprint>")
      .replaceAll(/\[([^\]]*)\]\((\/[^)]*)\)/g, (_, words, href) => {
        const link = linkFrom(file, href);
        return link === null ? words : `[${words}](${link})`;
      });

  for (const path of wanted) {
    write(`${path.slice(1)}.html`, staticPage(await read(path), `${path.slice(1)}.html`));
    write(`${path.slice(1)}.md`, staticText(await read(`${path}.md`), `${path.slice(1)}.md`));
  }
  write("llms.txt", staticText(await read("/llms.txt"), "llms.txt"));
  for (const name of ["openapi", "openapi-3.0"])
    write(`api/${name}.json`, await read(`/api/${name}.json`));

  // The packages, to install from the site.
  const library = output(process.execPath, ["scripts/library.mjs"]).trim().split("\n").at(-1);
  const packages = [...globSync(join(product.publicFolder, "*.tgz")), library];
  for (const from of packages) cpSync(from, join(SITE, basename(from)));
  cpSync("docs/pictures", join(SITE, "pictures"), { recursive: true });

  write("pictures/pictures.css", "img { max-width: 100%; height: auto; }\n");

  const PICTURES = [
    ["card", "A claim: the record to add, with buttons that copy it"],
    ["path", "Where the record was found, and where it was not"],
    ["proof", "A proof, which anybody can open"],
    ["check", "A receipt, checked in a browser"],
  ];
  const [, tryIt = ""] = /```sh\n(.*?)```/s.exec(readFileSync("README.md", "utf8")) ?? [];
  const text = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const section = (title, body) =>
    `<section class="entry"><h2>${title}</h2><div class="stack">${body}</div></section>`;
  const links = (all) =>
    `<ul>${all.map(([to, words]) => `<li><a href="${to}">${words}</a></li>`).join("")}</ul>`;
  const picture = ([name, words]) =>
    `<figure><figcaption class="label">${words}</figcaption><picture><source srcset="pictures/${name}.dark.png" media="(prefers-color-scheme: dark)"/><img src="pictures/${name}.light.png" alt="${words}" width="840"/></picture></figure>`;

  const main = `<main id="main" tabindex="-1" class="wide"><header class="head"><h1>Deed</h1><p class="lead">${text(description)}</p></header>
${section("Try it", `<pre><code>${text(tryIt)}</code></pre>`)}
${section(
  "Read",
  links([
    ["docs.html", "The docs"],
    ["docs/integrate.html", "Build on it"],
    ["docs/api.html", "The API, with an example of every call"],
    ["llms.txt", "llms.txt, for language models"],
  ]),
)}
${section("Packages", links(packages.map((from) => [basename(from), basename(from)])))}
${section("What it looks like", PICTURES.map(picture).join(""))}</main>`;
  const frame = staticPage(await read("/docs"), "index.html");
  write(
    "index.html",
    frame
      .replace("</head>", '<link rel="stylesheet" href="pictures/pictures.css"/></head>')
      .replace(/<main\b.*<\/main>/s, () => main)
      .replace(/<title>.*?<\/title>/, `<title>Deed</title>`),
  );
} finally {
  await product.stop();
}
console.log(SITE);
