import type { Report } from "@deed/receipt/report.ts";
import { createElement, type ReactNode } from "react";
import { type Drawn, viewOf } from "./view.ts";

const render = (content: string | Drawn, key: number): ReactNode => {
  if (typeof content === "string") return content;
  const [tag, className, ...parts] = content;
  return createElement(tag, { key, className: className || undefined }, parts.map(render));
};

export const ReportView = ({ report }: { report: Report }) => viewOf(report).map(render);
