import type { Report } from "@deed/receipt/report.ts";
import { createElement, type ReactNode } from "react";
import { type Markup, viewOf } from "./view.ts";

export const renderDrawn = (content: string | Markup, key: number): ReactNode => {
  if (typeof content === "string") return content;
  const [tag, className, ...parts] = content;
  const attributes =
    tag === "a" ? { href: className, className: "button primary" } : className && { className };
  return createElement(tag, { key, ...attributes }, parts.map(renderDrawn));
};

type ReportViewProps = { report: Report; offer: string | null; link: string | null };

export const ReportView = ({ report, ...around }: ReportViewProps) =>
  viewOf(report, { ...around, isForm: true }).map(renderDrawn);
