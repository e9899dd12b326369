import { expect, it } from "vitest";
import { markdownOf } from "./markdown.ts";

it("turns the main part of a page into Markdown, with its code as it is", () => {
  const html = `<nav>no</nav><main id="main"><div class="kicker"><nav><a href="/docs">Overview</a></nav></div>
    <h1>One &amp; <!-- -->two</h1><p class="lead">Add <code>a &lt; b</code>, see <a class="x" href="/docs/errors#a">errors</a>
    or <a href="https://a.example">another</a>.</p><section><h2>Steps</h2><ol><li><p>First</p></li><li>Second</li></ol>
    <pre><code class="language-sh">if x; then
  y &gt; z
fi
</code></pre><table><thead><tr><th>Call</th><th>Does</th></tr></thead><tbody><tr><th>a</th><td>b</td></tr></tbody></table>
    <dl><div><dt>Type</dt><dd>TXT</dd></div></dl></section></main><footer>no</footer>`;
  expect(markdownOf(html)).toMatchInlineSnapshot(`
    "# One & two

    Add \`a < b\`, see [errors](/docs/errors.md#a) or [another](https://a.example).

    ## Steps

    - First

    - Second

    \`\`\`sh
    if x; then
      y > z
    fi
    \`\`\`

    | Call | Does |
    | --- | --- |
    | a | b |

    - Type: TXT

    "
  `);
});
