import type { Report } from "@deed/receipt/report.ts";
import { Facts } from "#app/ui/page.tsx";
import { viewOf } from "./view.ts";

/** What was found of a receipt. check-here.ts draws the same where script runs. */
export function ReportView({ report }: { report: Report }) {
  const { tone, headline, facts, parts, remark } = viewOf(report);
  return (
    <>
      <div className={`panel ${tone}`}>
        <p className="label">{headline}</p>
        <p>{remark}</p>
      </div>
      <Facts rows={facts} />
      <Facts rows={parts.map(({ name, state, text }) => [name, `${state}: ${text}`])} />
    </>
  );
}
