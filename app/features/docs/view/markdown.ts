const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };
const unescapeEntities = (text: string) =>
  text.replace(/&(lt|gt|quot|#x27|amp);/g, (_, name) => ENTITIES[name] ?? "");

/** Each HTML element in Markdown, applied in this order; all other tags are removed. */
const ELEMENTS: [RegExp, string][] = [
  [/\s+/g, " "],
  [/<h([1-4])\b[^>]*>(.*?)<\/h\1>/g, "\n\n<$1> $2\n\n"],
  [/<a [^>]*?href="(\/docs[^"#]*)(#[^"]*)?"[^>]*>(.*?)<\/a>/g, "[$3]($1.md$2)"],
  [/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g, "[$2]($1)"],
  [/<code\b[^>]*>(.*?)<\/code>/g, "`$1`"],
  [/<\/?strong>/g, "**"],
  [/<tr\b[^>]*>/g, "\n| "],
  [/<\/t[hd]>/g, " | "],
  [/<li\b[^>]*> ?(?:<p\b[^>]*>)?/g, "\n- "],
  [/<dt\b[^>]*>(.*?)<\/dt>/g, "\n- $1: "],
  [/<\/?(?:p|pre|ul|ol|dl|table|section|figure|div|details)\b[^>]*>/g, "\n\n"],
  [/<[a-z/][^>]*>/g, ""],
];

const BLOCK = /<pre\b[^>]*><code\b[^>]*?(?:language-(\w+)[^>]*)?>(.*?)<\/code><\/pre>/gs;

export function markdownOf(html: string): string {
  const [main = ""] = /<main\b.*<\/main>/s.exec(html) ?? [];
  const blocks: string[] = [];
  const text = main
    .replace(/<nav\b.*?<\/nav>|<!--.*?-->/gs, "")
    .replace(/<thead\b.*?<\/thead>/gs, (head) => {
      const rule = head.replace(/(<th\b[^>]*>).*?(?=<\/th>)/gs, "$1---");
      return head + rule;
    })
    .replace(BLOCK, (_, language = "", code) => {
      blocks.push(`\`\`\`${language}\n${code.trimEnd()}\n\`\`\``);
      return `<pre>\0${blocks.length - 1}\0</pre>`;
    });
  return unescapeEntities(
    ELEMENTS.reduce((all, [pattern, replacement]) => all.replace(pattern, replacement), text)
      .replace(/<([1-4])>/g, (_, level) => "#".repeat(level))
      .replace(/ *\n */g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .replace(/\0(\d+)\0/g, (_, index) => blocks[index] ?? "")
      .trimStart(),
  );
}
