import type { Report } from "@deed/receipt/report.ts";
import { createElement, type ReactNode } from "react";
import { type Drawn, viewOf } from "./view.ts";

export const renderDrawn = (content: string | Drawn, key: number): ReactNode => {
  if (typeof content === "string") return content;
  const [tag, className, ...parts] = content;
  return createElement(tag, { key, className: className || undefined }, parts.map(renderDrawn));
};

export const ReportView = ({ report }: { report: Report }) => viewOf(report).map(renderDrawn);
